/** Deliveries into a bucket: a real client, a real S3 server, a real process between them. */
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMoto, type Moto, startMoto } from '../../engine/backend/moto.ts';
import { filesIn, post, sending } from '../../receiver/helpers.ts';
import { start } from '../process.ts';
import { type ReceiverProcess, startProcess, stop, temporaryFolder } from './process.ts';

const rows = JSON.stringify([{ a: 1 }]);
const sha256 = hashOf(rows);

describe.skipIf(!hasMoto)('a bucket', () => {
  let moto: Moto;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let receiver: ReceiverProcess;

  const startReceiver = () =>
    startProcess(folder.path, ['--bucket', `s3://${moto.bucket}/web/`], { ...moto.env, TMPDIR: folder.path });

  beforeAll(async () => {
    moto = await startMoto();
    folder = await temporaryFolder();
    receiver = await startReceiver();
  }, 10 * 60_000);

  afterAll(async () => {
    if (receiver.child.exitCode === null) await stop(receiver);
    await moto[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('gets a delivery under its name, with what is known of it', async () => {
    const key = `web/acme/results/j_abc.${sha256}.json`;
    expect(await post(receiver.url, gzipSync(rows), { path: '/acme/results?run=j_abc' })).toMatchObject({
      text: 'Kept.\n',
    });
    expect(await moto.text(key)).toBe(rows);
    expect(await moto.metadata(key)).toEqual({ sha256, kind: 'rows', run: 'j_abc' });
    expect(await filesIn(folder.path)).toEqual([]);
  });

  it('knows a delivery again, and one that comes twice at once', async () => {
    const body = '[{"twice":true}]';
    const answers = await Promise.all([post(receiver.url, body), post(receiver.url, gzipSync(body))]);
    expect(answers.map(({ text }) => text).toSorted()).toEqual(['Kept before.\n', 'Kept.\n']);
    expect((await post(receiver.url, body)).text).toBe('Kept before.\n');
  });

  it('gets a large delivery in parts, byte by byte, with a run that is no plain text', async () => {
    const body = JSON.stringify([randomBytes(10_000_000).toString('hex')]);
    expect((await post(receiver.url, body, { path: '/large?run=j_%C3%A4%0A' })).status).toBe(200);
    const [key = ''] = Object.keys(await moto.objects()).filter((each) => each.startsWith('web/large/'));
    expect(hashOf(await moto.text(key))).toBe(hashOf(body));
  });

  it('gets nothing of a delivery that breaks off', async () => {
    const before = await moto.objects();
    const { outgoing } = sending(receiver.url, { headers: { 'content-length': 100 } });
    outgoing.write('[1');
    await expect.poll(() => filesIn(folder.path)).toHaveLength(1);
    outgoing.destroy();
    await expect.poll(() => filesIn(folder.path)).toEqual([]);
    expect(await moto.objects()).toEqual(before);
    expect(await moto.unfinished()).not.toContain('<UploadId>');
  });

  it('that is not there, or a server that is not, is said at the start', async () => {
    const options = { cwd: folder.path, env: { ...moto.env } };
    const absent = start(['receive', '--bucket', 's3://absent'], options).finished;
    const unreachable = { ...options, env: { ...moto.env, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' } };
    const away = start(['receive', '--bucket', 's3://results'], unreachable).finished;
    expect(await absent).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('s3://absent: the bucket does not exist'),
    });
    expect(await away).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('the bucket is unreachable'),
    });
    expect((await absent).stderr + (await away).stderr).not.toContain('canary');
  });

  it('whose server goes away acknowledges nothing, and what is left is removed', async () => {
    const killed = await startReceiver();
    const { outgoing } = sending(killed.url);
    outgoing.write('[1');
    await expect.poll(() => filesIn(folder.path)).toHaveLength(1);
    killed.child.kill('SIGKILL');
    await killed.finished;
    const next = await startReceiver();
    await expect.poll(() => filesIn(folder.path)).toEqual([]);
    await stop(next);

    await moto.stop();
    expect(await post(receiver.url, '[{"lost":1}]')).toMatchObject({
      status: 500,
      text: 'Not kept: bucket s3://results/web cannot be written: its server refuses connections.\n',
    });
    expect(await filesIn(folder.path)).toEqual([]);
    const { code, stderr } = await stop(receiver);
    expect(code).toBe(0);
    expect(stderr).toContain('"reason":"not-kept"');
    expect(stderr).not.toContain('canary');
  });
});

it('a bucket without the AWS client is an error that says how to install it', async () => {
  await using folder = await temporaryFolder();
  const hidden = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('@aws-sdk/')) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    } });`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hidden)}` };
  const { code, stderr } = await start(['receive', '--bucket', 's3://results'], { cwd: folder.path, env }).finished;
  expect(code).toBe(1);
  expect(stderr).toContain('--bucket needs the AWS client, which is not installed');
  expect(stderr).toContain('npm install @aws-sdk/client-s3');
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
