/** The shared backend over a store in memory: fencing, compaction and faults at chosen moments. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { type Backend, logStart } from '../../../src/engine/backend/backend.ts';
import { createSharedBackend } from '../../../src/engine/backend/shared/sharedBackend.ts';
import type { ObjectStore } from '../../../src/engine/backend/store.ts';
import { takeOverLocked } from '../../../src/engine/identity/takeOver.ts';
import { readRecentRuns } from '../../../src/engine/run/journalReader.ts';
import { memoryStore } from './memoryStore.ts';

const leaseMs = 600;
const lock = { timeoutMs: 0, command: 'webdata apply', folder: '/srv/infra' };

async function linesOf(backend: Backend, from = logStart): Promise<string[]> {
  const lines: string[] = [];
  const log = await backend.openLog();
  for await (const batch of log?.read(from) ?? []) lines.push(...batch.lines.map(([, text]) => text));
  return lines;
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof ProblemError ? error.problems[0]?.code : String(error);
  }
}

const at = (store = memoryStore(), account = 'api.example.com:') => ({
  store,
  backend: createSharedBackend(store, { account, leaseMs }),
});

async function write(backend: Backend, ...lines: string[]): Promise<void> {
  await backend.withLock({ ...lock, timeoutMs: 5_000 }, async () => {
    const log = await backend.appendToLog();
    for (const line of lines) await log.append([line], 'now');
  });
}

describe('the log of a shared backend', () => {
  it('has the lines of all runs in their order, also after compactions, and for readers in the middle', async () => {
    const { store, backend } = at();
    const expected: string[] = [];
    for (let run = 0; run < 30; run++) {
      const lines = Array.from({ length: 1 + (run % 7) * 4 }, (_, index) => `run ${run}, line ${index}`);
      await write(backend, ...lines);
      expected.push(...lines);
      expect(await linesOf(at(store).backend)).toEqual(expected);
    }
    const kept = [...store.objects.keys()].filter((key) => key.includes('/log/'));
    expect(kept.length).toBeLessThan(90);
    const log = await backend.openLog();
    for await (const { end } of log?.read(logStart) ?? []) {
      expect(await linesOf(backend, end)).toEqual(expected.slice(end.lines));
    }
  });

  it('may lack entries after a failover of its database, until a run has ended', async () => {
    const { store, backend } = at();
    store.onTimeline = 1;
    await write(backend, 'one');
    const found = async () => {
      const { runs } = await readRecentRuns(at(store).backend);
      return runs.map(({ id, damage, ageMs }) => [id, damage !== undefined, ageMs]);
    };
    store.age(60_000);
    store.onTimeline = 2;
    expect(await found()).toEqual([['failover', true, 0]]);
    await at(store).backend.withLock(lock, async () => expect(await found()).toEqual([['failover', true, 0]]));
    expect(await linesOf(at(store).backend)).toEqual(['one']);
    await at(store).backend.withLock(lock, async () => {
      store.onTimeline = 3;
    });
    expect(await found()).toEqual([['failover', true, 0]]);
    // What a run has done is its result, whatever the store says afterwards.
    store.before = (request, key) => {
      if (request === 'replace' && key.endsWith('/timeline')) throw new Error('gone');
    };
    expect(await at(store).backend.withLock(lock, async () => 'done')).toBe('done');
    const copy = at().backend;
    await takeOverLocked(at(store).backend, copy, lock, () => true);
    expect(await linesOf(copy)).toEqual(['one']);
  });

  it.each([
    ['api.example.com: eu', /^api\.example\.com-eu-[\da-f]{8}$/],
    ['.-eu.-', /^eu-[\da-f]{8}$/],
    ['../..', /^account-[\da-f]{8}$/],
  ])('is in a folder that shows the account %s', async (account, shown) => {
    const { store, backend } = at(memoryStore(), account);
    await write(backend, 'one');
    expect(new Set([...store.objects.keys()].map((key) => key.split('/')[0]))).toEqual(
      new Set([expect.stringMatching(shown)]),
    );
  });

  it('keeps the lines of each account apart', async () => {
    const { store, backend } = at();
    await write(backend, 'one');
    const other = at(store, 'api.example.com: eu').backend;
    await write(other, 'two');
    expect([await linesOf(backend), await linesOf(other)]).toEqual([['one'], ['two']]);
  });

  it('puts lines that can wait, and lines at the same time, into one entry', async () => {
    const { store, backend } = at();
    const entries: string[] = [];
    store.before = (request, key) => {
      if (request === 'create' && key.includes('/log/')) entries.push(key);
    };
    await backend.withLock(lock, async () => {
      const log = await backend.appendToLog();
      await log.append(['answered'], 'can wait');
      await log.append(['seen'], 'can wait');
      await log.append(['sending'], 'now');
      expect(entries).toHaveLength(2);
      await Promise.all(['a', 'b', 'c', 'd'].map((line) => log.append([line], 'now')));
      expect(entries).toHaveLength(3);
    });
    expect(await linesOf(backend)).toEqual(['answered', 'seen', 'sending', 'a', 'b', 'c', 'd']);
  });

  it('asks the store for nothing twice in the same part of a run, and for nothing that the run has written', async () => {
    const { store, backend } = at();
    const run = () =>
      backend.withLock(lock, async () => {
        await backend.readDocument('baseline');
        const reader = await backend.openLog();
        const { end: from = logStart } = (await reader?.readSummary()) ?? {};
        let end = from;
        for await (const batch of reader?.read(from) ?? []) end = batch.end;
        await reader?.writeSummary(from, end, () => ({ kept: [], facts: {} }));
        const writer = await backend.appendToLog();
        for (let line = 0; line < 20; line++) await writer.append([`line ${line}`], 'now');
        await backend.updateDocument('baseline', (before) => `${before?.text ?? ''}.`);
      });
    for (let runs = 0; runs < 2; runs++) await run();
    const requests: string[] = [];
    store.before = (request, key) => {
      if (request !== 'remove') requests.push(`${request} ${key.replace(/^[^/]+\//, '')}`);
    };
    await run();
    expect(requests.filter((request) => !request.startsWith('create log/'))).toEqual([
      'read lock',
      'replace lock',
      'list log/',
      'replace lock',
      'read documents/baseline',
      'read summary',
      'list segments/',
      'list log/',
      'read segments/000000000001-000000000042',
      'replace summary',
      'replace documents/baseline',
      'list segments/',
      'list log/',
      'read segments/000000000001-000000000042',
      'create segments/000000000001-000000000063',
      'replace lock',
    ]);
    expect((await backend.readDocument('baseline'))?.text).toBe('...');
  });

  it('reports entries that are lost or cut off as damaged lines', async () => {
    const { store, backend } = at();
    await write(backend, 'one', 'two', 'three', 'four');
    const keys = [...store.objects.keys()].filter((key) => key.includes('/log/')).sort();
    store.objects.delete(keys[2] ?? '');
    const cut = store.objects.get(keys[3] ?? '');
    if (cut) cut.text = cut.text.slice(0, 20);
    expect(await linesOf(backend)).toEqual([
      'one',
      'entry 3 of the log: missing',
      'entry 4 of the log is damaged',
      expect.any(String),
      'four',
    ]);
  });

  it('ignores foreign objects, and refuses objects of a newer version', async () => {
    const { store, backend } = at();
    await write(backend, 'one');
    const folder = [...store.objects.keys()][0]?.split('/')[0];
    await store.create(`${folder}/log/`, '');
    await store.create(`${folder}/log/readme.txt`, 'hello');
    await store.create(`${folder}/segments/x`, 'hello');
    expect(await linesOf(backend)).toEqual(['one']);
    await store.create(`${folder}/log/000000000003`, '{"format":"webdata.log/2"}\nzip\n');
    expect(await codeOf(linesOf(backend))).toBe('newer-backend');
  });

  it('can be read while it is compacted and rewritten', async () => {
    const { store, backend } = at();
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    await write(backend, ...lines.slice(0, 39));
    let reads = 0;
    store.before = async (request) => {
      if (request !== 'read' || ++reads !== 1) return;
      await write(at(store).backend, ...lines.slice(39));
    };
    expect((await linesOf(backend)).slice(0, 39)).toEqual(lines.slice(0, 39));
    store.before = () => undefined;
    expect(await linesOf(backend)).toEqual(lines);
  });

  it('drops lines, and the entries of old runs once no paused process can write there', async () => {
    const { store, backend } = at();
    for (let run = 0; run < 5; run++) await write(backend, `old ${run}`, `kept ${run}`);
    store.age(48 * 3_600_000);
    await backend.withLock(lock, () => backend.dropLines((text) => text.startsWith('old')));
    const kept = [0, 1, 2, 3, 4].map((run) => `kept ${run}`);
    expect(await linesOf(backend)).toEqual(kept);
    expect([...store.objects.keys()].filter((key) => key.includes('/log/'))).toHaveLength(1);
    await write(backend, 'new');
    expect(await linesOf(backend)).toEqual([...kept, 'new']);
  });
});

describe('the lock of a shared backend', () => {
  it('has one holder, who is named, and is free afterwards', async () => {
    const { store, backend } = at();
    const other = at(store).backend;
    await backend.withLock({ ...lock, job: 'https://ci.example.com/jobs/1' }, async () => {
      expect(await codeOf(other.withLock(lock, async () => 1))).toBe('locked');
      expect(await other.lockHolder()).toMatchObject({
        command: 'webdata apply',
        pid: process.pid,
        job: 'https://ci.example.com/jobs/1',
      });
      await expect(other.withLock(lock, async () => 1)).rejects.toThrow(/since 2.*https:\/\/ci\.example\.com\/jobs\/1/);
    });
    expect(await other.lockHolder()).toBeUndefined();
    expect(await other.withLock(lock, async () => 'free')).toBe('free');
  });

  it('is awaited with one message, until the wait is ended', async () => {
    const { store, backend } = at();
    const waits: (string | undefined)[] = [];
    const waiting = new AbortController();
    const onWait = (holder?: { command: string }) => waits.push(holder?.command);
    await backend.withLock(lock, async () => {
      const patient = { ...lock, timeoutMs: 60_000, onWait, signal: waiting.signal };
      const other = at(store).backend.withLock(patient, async () => 1);
      setTimeout(() => waiting.abort(new Error('cancelled')), 1_300);
      await expect(other).rejects.toThrow('cancelled');
    });
    expect(waits).toEqual(['webdata apply']);
  });

  it('is kept for longer than a lease while it is renewed', async () => {
    const { store, backend } = at();
    await backend.withLock(lock, async (lost) => {
      expect(await codeOf(at(store).backend.withLock({ ...lock, timeoutMs: 3 * leaseMs + 2_000 }, async () => 1))).toBe(
        'locked',
      );
      expect(lost.aborted).toBe(false);
    });
  });

  it('is taken over after its lease, also where the clock of the store was set back', async () => {
    const { store, backend } = at();
    const left = memoryStore();
    await backend.withLock(lock, async () => {
      for (const [key, object] of store.objects) left.objects.set(key, { ...object });
    });
    left.age(-60_000);
    expect(await codeOf(at(left).backend.withLock(lock, async () => 1))).toBe('locked');
    expect(await at(left).backend.withLock({ ...lock, timeoutMs: 20_000 }, async () => 'taken')).toBe('taken');
  });

  it('is taken over after its lease, and the former holder writes nothing more', async () => {
    const { store, backend } = at();
    const other = at(store).backend;
    await backend.withLock(lock, async (lost) => {
      const log = await backend.appendToLog();
      await log.append(['first'], 'now');
      await log.append(['waiting'], 'can wait');
      // The lease runs out by the clock of the store, as for a process that was suspended.
      store.age(60_000);
      await other.withLock(lock, async () => (await other.appendToLog()).append(['second'], 'now'));
      expect(await codeOf(log.append(['too late'], 'now'))).toBe('lock-lost');
      expect(lost.aborted).toBe(true);
      expect(await codeOf(log.append(['later'], 'can wait'))).toBe('lock-lost');
      expect(await codeOf(backend.updateDocument('baseline', () => 'x'))).toBe('lock-lost');
    });
    expect(await linesOf(other)).toEqual(['first', 'second']);
  });

  it('fences a holder that was paused at any request, also through compactions', async () => {
    for (let pausedAt = 1; pausedAt < 14; pausedAt++) {
      const store = memoryStore();
      const [backend, other] = [at(store).backend, at(store).backend];
      let requests = 0;
      let isPaused = false;
      store.before = async () => {
        if (isPaused || ++requests !== pausedAt) return;
        isPaused = true;
        store.age(60_000);
        await write(other, ...Array.from({ length: 20 }, (_, index) => `other ${index}`));
      };
      const durable: string[] = [];
      await backend
        .withLock({ ...lock, timeoutMs: 5_000 }, async () => {
          const log = await backend.appendToLog();
          for (const line of ['a', 'b', 'c']) {
            await log.append([line], 'now');
            durable.push(line);
          }
        })
        .catch(() => undefined);
      store.before = () => undefined;
      const lines = await linesOf(other);
      const own = lines.filter((line) => line.length === 1);
      expect([pausedAt, own.slice(0, durable.length)]).toEqual([pausedAt, durable]);
      expect([pausedAt, own.length - durable.length <= 1]).toEqual([pausedAt, true]);
      expect(lines.filter((line) => line.startsWith('other'))).toHaveLength(isPaused ? 20 : 0);
      const first = lines.indexOf('other 0');
      // No line of the paused holder was added after the other one began, unless it took the lock again.
      if (first >= 0 && own.length > 0 && durable.length < 3)
        expect(lines.lastIndexOf(own.at(-1) ?? '')).toBeLessThan(first);
    }
  });

  it('can be broken, also if its object is damaged', async () => {
    const { store, backend } = at();
    const other = at(store).backend;
    await backend.withLock(lock, async () => {
      await other.breakLock({ ...lock, command: 'webdata unlock' });
      expect(await other.lockHolder()).toBeUndefined();
      expect(await codeOf(backend.appendToLog().then((log) => log.append(['x'], 'now')))).toBe('lock-lost');
    });
    const [key = ''] = [...store.objects.keys()].filter((each) => each.endsWith('/lock'));
    const object = store.objects.get(key);
    if (object) object.text = 'half';
    expect(await codeOf(backend.withLock(lock, async () => 1))).toBe('damaged-backend');
    await other.breakLock({ ...lock, command: 'webdata unlock' });
    expect(await backend.withLock(lock, async () => 'free')).toBe('free');
  });

  it('is kept if a renewal was carried out, but all its answers were lost', async () => {
    // Two renewals are late. A busy machine has the time of a third one to spare.
    const store = memoryStore();
    const backend = createSharedBackend(store, { account: 'api.example.com:', leaseMs: 5 * leaseMs });
    const replace = store.replace;
    let toLose = 2;
    await backend.withLock(lock, async (lost, assertHeld) => {
      store.replace = async (...write) => {
        const version = await replace(...write);
        if (toLose-- > 0) throw new ProblemError([{ code: 'backend-unreachable', found: 'gone' }]);
        return version;
      };
      await expect.poll(() => toLose).toBeLessThan(0);
      await assertHeld();
      expect(lost.aborted).toBe(false);
      toLose = 1;
    });
    expect(await at(store).backend.withLock({ ...lock, timeoutMs: 10 * leaseMs }, async () => 'free')).toBe('free');
    expect(await codeOf(backend.withLock(lock, async () => 1))).toBeUndefined();
  });

  it('is taken again if the first renewal took longer than the lease', async () => {
    const { store, backend } = at();
    let isSlow = true;
    const slow: ObjectStore = {
      ...store,
      async replace(key, text, version) {
        const replaced = await store.replace(key, text, version);
        if (isSlow) {
          isSlow = false;
          store.age(leaseMs + 2000);
          await write(backend, 'other');
          await sleep(leaseMs);
        }
        return replaced;
      },
    };
    await write(createSharedBackend(slow, { account: 'api.example.com:', leaseMs }), 'mine');
    expect(await linesOf(backend)).toEqual(['other', 'mine']);
  });

  it('is lost if it cannot be renewed in time, before anything else is written', async () => {
    const { store, backend } = at();
    await backend.withLock(lock, async (lost) => {
      store.before = (request) => {
        if (request === 'replace') throw new ProblemError([{ code: 'backend-unreachable', found: 'gone' }]);
      };
      await new Promise((done) => lost.addEventListener('abort', done));
      expect(await codeOf(backend.appendToLog().then((log) => log.append(['x'], 'now')))).toBe('lock-lost');
    });
    expect(await linesOf(backend)).toEqual([]);
  });
});

describe('a document of a shared backend', () => {
  it('is replaced as a whole', async () => {
    const { store, backend } = at();
    expect(await backend.readDocument('baseline')).toBeUndefined();
    for (const text of ['one', '{"two":\n2}\n']) {
      await backend.withLock(lock, () => backend.updateDocument('baseline', () => text));
      expect((await at(store).backend.readDocument('baseline'))?.text).toBe(text);
    }
  });
});
