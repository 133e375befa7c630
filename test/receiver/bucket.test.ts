/** Buckets whose servers behave in their own ways. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openBucket } from '../../src/keeping/bucket.ts';
import type { DeliveryStore } from '../../src/keeping/destination.ts';
import { probed } from '../../src/keeping/probe.ts';

interface Opened {
  bucket: DeliveryStore;
  keep(name: string, bytes?: number): Promise<{ again: boolean }>;
}

async function bucketOn(listener: RequestListener, socketTimeout?: number): Promise<Opened> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'webdata-bucket-'));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const bucket = await openBucket({ bucket: 'results', prefix: '' }, process.env, socketTimeout);
  onTestFinished(() => bucket.close());
  return {
    bucket,
    async keep(name, bytes = 2) {
      const file = join(folder, 'delivery');
      await writeFile(file, Buffer.alloc(bytes));
      const spooled = { file, bytes, sha256: 'digest' };
      return bucket.keep(spooled, [name], { kind: 'rows', run: undefined }, new AbortController().signal);
    },
  };
}

it('that never answers is not waited for without end: the delivery fails, and the service sends it again', async () => {
  const uploads: string[] = [];
  const { keep } = await bucketOn((request, response) => {
    if (request.method === 'PUT') uploads.push(request.url ?? '');
    // The bucket exists, the object does not, and uploads are never answered.
    else response.writeHead(request.url?.includes('a.json') ? 404 : 200).end();
  }, 200);
  await expect(keep('a.json')).rejects.toThrow('timed out after 200 ms of inactivity');
  expect(uploads).toContain('/results/a.json?x-id=PutObject');
});

it('that refuses the checksums which only Amazon knows gets none, in one part or in many', async () => {
  const refused: string[] = [];
  const { bucket, keep } = await bucketOn((request, response) => {
    const unknown = Object.keys(request.headers).filter((name) => /checksum|x-amz-trailer/.test(name));
    refused.push(...unknown);
    const isAbsent = request.method === 'HEAD' && request.url?.includes('.json');
    const answer = '<Result><UploadId>1</UploadId></Result>';
    const status = unknown.length > 0 ? 400 : isAbsent ? 404 : 200;
    request.resume().on('end', () => response.writeHead(status, { etag: '"1"' }).end(isAbsent ? '' : answer));
  });
  expect(await probed(bucket)).toBeUndefined();
  expect(await keep('small.json')).toEqual({ again: false });
  expect(await keep('large.json', 20_000_000)).toEqual({ again: false });
  expect(refused).toEqual([]);
  // Moved away, and delivered again.
  expect(await keep('small.json')).toEqual({ again: true });
});

it('that refuses to write is quoted to the operator, and not to the sender', async () => {
  const { bucket } = await bucketOn((request, response) => {
    const words = '<Error><Code>QuotaExceeded</Code><Message>team a has used its 5 TB</Message></Error>';
    request.resume().on('end', () => response.writeHead(request.method === 'PUT' ? 409 : 200).end(words));
  });
  expect(await probed(bucket)).toEqual({
    status: 500,
    reason: 'not-kept',
    line: 'bucket s3://results cannot be written: QuotaExceeded',
    message:
      'bucket s3://results cannot be written: QuotaExceeded. Its answer: 409 QuotaExceeded: team a has used its 5 TB',
  });
});
