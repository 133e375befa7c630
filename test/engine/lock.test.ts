/** One run at a time on an account, however its URL is spelled and wherever its files are. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { makeOwnFolder, meetingFolder } from '../../src/base/files/ownFiles.ts';
import { machineFolder } from '../../src/engine/backend/folder/machineFolder.ts';
import { breakMachineLock, withMachineLock } from '../../src/engine/backend/folder/machineLock.ts';
import { bareConfig } from '../../src/engine/declaration/config.ts';
import { serverOf } from '../../src/engine/identity/accountIdentity.ts';
import { temporaryFolder } from '../temporary.ts';

const options = { timeoutMs: 0, command: 'webdata apply', folder: '/srv/infra' };

const lockOf = (key: string) => ({ key, env: process.env });

/** Unlike the port of anything else that runs on this machine. */
const port = () => 20_000 + Math.floor(Math.random() * 40_000);

const configOf = (url: string, key = 'key') => bareConfig({ env: { WEBDATA_API_URL: url, WEBDATA_API_KEY: key } });

async function isFree(url: string, key?: string): Promise<boolean> {
  try {
    return await withMachineLock(lockOf(serverOf(configOf(url, key))), options, async () => true);
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'locked') return false;
    throw error;
  }
}

describe('the lock of an account', () => {
  it('is the same for every spelling of the URL and every key', async () => {
    const at = port();
    await withMachineLock(lockOf(serverOf(configOf(`http://localhost:${at}`))), options, async () => {
      for (const host of [
        'LOCALHOST',
        'localhost.',
        '127.0.0.1',
        '127.0.1.1',
        '127.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
      ]) {
        expect([host, await isFree(`http://${host}:${at}/`)]).toEqual([host, false]);
      }
      expect(await isFree(`http://127.0.0.1:${at}/api/`, 'another key')).toBe(false);
      expect(await isFree(`http://127.0.0.1:${at + 1}`)).toBe(true);
      expect(await isFree(`http://192.0.2.1:${at}`)).toBe(true);
    });
    const host = `h${at}.example.com`;
    await withMachineLock(lockOf(serverOf(configOf(`https://${host}`))), options, async () => {
      for (const url of [
        `https://${host}/`,
        `https://${host.toUpperCase()}:443`,
        `http://${host}:80`,
        `https://u:p@${host}./`,
      ]) {
        expect([url, await isFree(url)]).toEqual([url, false]);
      }
      expect(await isFree(`https://${host}:8443`)).toBe(true);
    });
    expect(await isFree(`https://${host}`)).toBe(true);
  });

  it('is awaited with one message, until the wait is ended', async () => {
    const key = `account ${port()}`;
    const waits: (string | undefined)[] = [];
    const waiting = new AbortController();
    const onWait = (holder?: { command: string }) => waits.push(holder?.command);
    await withMachineLock(lockOf(key), options, async () => {
      const other = withMachineLock(
        lockOf(key),
        { ...options, timeoutMs: 60_000, onWait, signal: waiting.signal },
        async () => 1,
      );
      setTimeout(() => waiting.abort(new Error('cancelled')), 700);
      await expect(other).rejects.toThrow('cancelled');
    });
    expect(await withMachineLock(lockOf(key), { ...options, onWait }, async () => 'free')).toBe('free');
    expect(waits).toEqual(['webdata apply']);
  });

  it('names its holder', async () => {
    const url = `http://localhost:${port()}`;
    const before = Date.now();
    const error = await withMachineLock(lockOf(serverOf(configOf(url))), options, () =>
      withMachineLock(
        lockOf(serverOf(configOf(url))),
        { ...options, command: 'webdata undo' },
        async () => undefined,
      ).catch((each: unknown) => each),
    );
    const [problem] = error instanceof ProblemError ? error.problems : [];
    const [, since = '', pid, host, folder] =
      /^`webdata apply` has held the lock of this account since (\S+): process (\d+) of user \S+ on (\S+), in (\S+)$/.exec(
        problem?.found ?? '',
      ) ?? [];
    expect([pid, host, folder]).toEqual([String(process.pid), hostname(), '/srv/infra']);
    // The lock names whole seconds.
    expect(Date.parse(since)).toBeGreaterThan(before - 1000);
    expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
  });
});

describe('a lock that nobody renews', () => {
  /** A lock of a process that was killed, with the time of its last renewal. */
  function leftLock(key: string, renewedAt: Date): string {
    const file = join(machineFolder(process.env), createHash('sha256').update(key).digest('hex').slice(0, 32));
    mkdirSync(`${file}.lock`);
    const { pid } = spawnSync('true');
    const holder = { command: 'webdata apply', pid, host: hostname(), user: 'ci', folder: '/srv/infra', since: 'then' };
    writeFileSync(`${file}.holder.json`, JSON.stringify(holder));
    utimesSync(`${file}.lock`, renewedAt, renewedAt);
    onTestFinished(() => rmSync(`${file}.lock`, { recursive: true, force: true }));
    return file;
  }

  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it('expires though it is from the future', async () => {
    const key = `account ${port()}`;
    leftLock(key, inAnHour());
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await withMachineLock(lockOf(key), { ...options, timeoutMs: 60_000 }, async () => 'taken')).toBe('taken');
  });

  it('says that its holder has ended, and how it is freed', async () => {
    const key = `account ${port()}`;
    leftLock(key, inAnHour());
    const error = await withMachineLock(lockOf(key), options, async () => 'taken').catch((each: unknown) => each);
    expect(error).toMatchObject({
      problems: [
        { found: expect.stringContaining('/srv/infra, which no longer runs'), fix: '`webdata unlock` frees the lock' },
      ],
    });
    await breakMachineLock(lockOf(key));
    expect(await withMachineLock(lockOf(key), options, async () => 'taken')).toBe('taken');
  });

  it('is lost before the next write, also where the holder was stopped and has not noticed', async () => {
    const key = `account ${port()}`;
    const file = join(machineFolder(process.env), createHash('sha256').update(key).digest('hex').slice(0, 32));
    await withMachineLock(lockOf(key), options, async (lost, assertHeld) => {
      await assertHeld();
      utimesSync(`${file}.lock`, new Date(0), new Date(0));
      await withMachineLock(lockOf(key), options, async () => {
        expect(lost.aborted).toBe(false);
        await expect(assertHeld()).rejects.toMatchObject({ problems: [{ code: 'lock-lost' }] });
      });
      await expect(assertHeld()).rejects.toMatchObject({ problems: [{ code: 'lock-lost' }] });
    });
  });
});

describe('the folder of the lock', () => {
  it('is only open to its owner, also where an earlier version made it open to others', () => {
    const folder = join(temporaryFolder(), 'own');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    expect(meetingFolder([folder])).toBe(folder);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is never behind a symbolic link, and never a file', () => {
    const folder = temporaryFolder();
    symlinkSync(temporaryFolder(), join(folder, 'link'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    writeFileSync(join(folder, 'file'), '');
    expect(() => meetingFolder([join(folder, 'link')])).toThrow('is a symbolic link');
    expect(() => makeOwnFolder(join(folder, 'dangling'))).toThrow(/symbolic link|ENOENT/);
    expect(() => makeOwnFolder(join(folder, 'file'))).toThrow('is not a folder');
  });

  it('is never the folder of another user', () => {
    const isRoot = process.getuid?.() === 0;
    const folder = isRoot ? temporaryFolder() : '/';
    if (isRoot) chownSync(folder, 12_345, 12_345);
    expect(() => makeOwnFolder(folder)).toThrow(`${folder} belongs to user id ${isRoot ? 12_345 : 0}`);
  });

  it('is the next one where the first cannot be written, and an error where none can', () => {
    const folder = join(temporaryFolder(), 'own');
    expect(meetingFolder(['/proc/webdata', folder])).toBe(folder);
    expect(() => meetingFolder(['/proc/webdata'])).toThrow('no folder for the lock of the account is writable');
  });
});
