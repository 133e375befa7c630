/** `webdata receive` as a person starts and stops it. */
import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../cli/harness.ts';
import { filesIn, kept, post, sending } from '../../receiver/helpers.ts';
import { start } from '../process.ts';
import { startProcess, stop, temporaryFolder } from '../receiver/process.ts';

describe('webdata receive', () => {
  it('says where it listens and keeps, and ends with 0 when it is stopped', async () => {
    await using folder = await temporaryFolder();
    const receiver = await startProcess(folder.path, ['--folder', 'kept']);
    expect((await post(receiver.url, '[]')).status).toBe(200);
    const { code, stdout, stderr } = await stop(receiver);
    const where = join(folder.path, 'kept');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Receiving at ${receiver.url}, storing in folder ${where}\n` });
    expect(new URL(receiver.url).hostname).toBe('127.0.0.1');
    const events = stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).msg]));
    expect(events).toEqual(['kept', 'stopping']);
  });

  it('finishes what it is receiving before it ends', async () => {
    await using folder = await temporaryFolder();
    const receiver = await startProcess(folder.path, ['--folder', '.']);
    const { outgoing, answer } = sending(receiver.url);
    outgoing.write('[1');
    await expect.poll(() => filesIn(folder.path)).toHaveLength(1);
    receiver.child.kill('SIGINT');
    await expect.poll(() => post(receiver.url, '[2]').catch(() => 'refused')).toBe('refused');
    outgoing.end(']');
    expect((await answer).status).toBe(200);
    expect((await receiver.finished).code).toBe(0);
    expect(Object.values(await kept(folder.path))).toContain('[1]');
  });

  it('takes the authorization from the environment, and shows it nowhere', async () => {
    await using folder = await temporaryFolder();
    const env = { HOOK_AUTHORIZATION: 'Bearer canary-hook', NEXT: 'Bearer canary-next' };
    const variables = ['--authorization-env', 'HOOK_AUTHORIZATION', '--authorization-env', 'NEXT'];
    const receiver = await startProcess(folder.path, ['--folder', '.', ...variables], env);
    expect((await post(receiver.url, '[]', { path: '/Bearer%20canary-hook?a=Bearer%20canary-hook' })).status).toBe(401);
    for (const authorization of Object.values(env))
      expect((await post(receiver.url, '[]', { headers: { authorization } })).status).toBe(200);
    const { stdout, stderr } = await stop(receiver);
    const record = JSON.stringify(await kept(folder.path));
    expect(stdout + stderr + record).not.toContain('canary');
  });

  it('warns where other machines can reach it, and louder where anyone may deliver', async () => {
    await using folder = await temporaryFolder();
    const args = ['--folder', '.', '--host', '0.0.0.0'];
    const open = await startProcess(folder.path, args);
    expect((await stop(open)).stderr).toMatch(/^WARNING: .*ANYONE.*--authorization-env/m);
    const guarded = await startProcess(folder.path, [...args, '--only-service-addresses']);
    expect((await post(guarded.url.replace('0.0.0.0', '127.0.0.1'), '[]')).status).toBe(403);
    expect((await stop(guarded)).stderr).toMatch(/^WARNING: .*not encrypted/m);
  });

  it('takes no more than it is told to', async () => {
    await using folder = await temporaryFolder();
    const receiver = await startProcess(folder.path, ['--folder', '.', '--max-bytes', '2KB']);
    expect((await post(receiver.url, `["${'x'.repeat(2044)}"]`)).status).toBe(200);
    expect((await post(receiver.url, `["${'x'.repeat(2045)}"]`)).status).toBe(413);
    await stop(receiver);
  });

  it('says so where its port is taken', async () => {
    await using folder = await temporaryFolder();
    const first = await startProcess(folder.path, ['--folder', '.']);
    const { port } = new URL(first.url);
    const second = await start(['receive', '--folder', '.', '--port', port], { cwd: folder.path, env: {} }).finished;
    expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EADDRINUSE') });
    await stop(first);
  });
});

describe('webdata receive refuses', () => {
  it.each([
    [[], /^--folder or --bucket is missing\n +allowed: --folder DIR or --bucket/],
    [['--folder', 'a', '--bucket', 's3://results'], /'--bucket <url>' cannot be used with option '--folder <dir>'/],
    [['--bucket', 'results'], /allowed: s3:\/\/BUCKET or s3:\/\/BUCKET\/PREFIX/],
    [['--folder', 'a', '--max-bytes', 'much'], /It must be a size such as 500MB or 1GB/],
    [['--folder', 'a', '--port', '99999'], /It must be a port: 0 to 65535/],
    [['--folder', 'a', '--authorization-env', 'HOOK'], /--authorization-env: HOOK is not set/],
    [['--folder', 'file'], /^folder .+file cannot be written: a part of its path is not a folder\n/],
  ])('%j, and makes nothing', async (args, found) => {
    await using harness = await openHarness('plain');
    await writeFile(join(harness.folder, 'file'), '');
    const { code, stdout, stderr } = await harness.webdata('receive', ...args);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(found) });
    expect(await readdir(harness.folder)).toEqual(['file']);
  });
});

it.skipIf(process.platform !== 'linux')('answers 507 where there is no room left, and keeps none of it', async () => {
  await using folder = await temporaryFolder();
  const receiver = await startProcess(folder.path, ['--folder', '.']);
  execFileSync('prlimit', ['--pid', String(receiver.child.pid), '--fsize=50000']);
  expect(await post(receiver.url, `["${'x'.repeat(100_000)}"]`)).toMatchObject({ status: 507 });
  expect(await filesIn(folder.path)).toEqual([]);
  expect((await post(receiver.url, '[]')).status).toBe(200);
  const cause = `folder ${folder.path} cannot be written: the file is larger than the system allows`;
  expect(await post(receiver.url, '', { method: 'GET', path: '/readyz' })).toMatchObject({
    status: 503,
    text: `${cause}\n`,
  });
  expect((await stop(receiver)).stderr).toContain('"reason":"no-room"');
});
