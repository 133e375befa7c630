/** A bucket whose server accepts requests and does not answer them. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openBucket } from '../../src/receiver/bucket.ts';

it('is not waited for without end: the delivery fails, and the service sends it again', async () => {
  const uploads: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'PUT') uploads.push(request.url ?? '');
    // The bucket exists, the object does not, and uploads are never answered.
    else response.writeHead(request.url?.includes('a.json') ? 404 : 200).end();
  });
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
  const bucket = await openBucket({ bucket: 'results', prefix: '' }, process.env, 200);
  onTestFinished(() => bucket.close());
  const file = join(folder, 'delivery');
  await writeFile(file, '[]');
  const spooled = { file, bytes: 2, sha256: 'digest' };
  const keeping = bucket.keep(spooled, ['a.json'], { kind: 'rows', run: undefined }, new AbortController().signal);
  await expect(keeping).rejects.toThrow('timed out after 200 ms of inactivity');
  expect(uploads).toContain('/results/a.json?x-id=PutObject');
});
