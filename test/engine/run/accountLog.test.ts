import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pastRuns } from '../../../bench/frame/pastRuns.ts';
import { parseProfile } from '../../../src/client/profile.ts';
import { openFolderBackend } from '../../../src/engine/backend/folder/folderBackend.ts';
import { openMachineLog } from '../../../src/engine/backend/folder/machineLog.ts';
import { AccountBackend } from '../../../src/engine/identity/accountBackend.ts';
import { accountLogOf } from '../../../src/engine/run/accountLog.ts';
import { temporaryFolder } from '../../temporary.ts';

const url = 'https://api.example.com';

interface PastRun {
  id: string;
  /** The minute in which it began and ended. */
  minute: number;
  /** Where its lines are: in the backend of this folder, in the log of the machine, or in both. */
  isOwn: boolean;
  isOnMachine: boolean;
  isOfAccount: boolean;
}

const config = { service: { url, profile: parseProfile({}) }, manager: {}, triggers: {} };

const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 0, minute)).toISOString();

function linesOf(runs: readonly PastRun[]): string {
  const lines = runs.flatMap(({ id: run, minute, isOfAccount }) => [
    {
      type: 'run',
      run,
      at: at(minute),
      command: 'apply',
      origin: isOfAccount ? url : 'https://b.example',
      version: '1',
    },
    { type: 'end', run, at: at(minute), result: 'done' },
  ]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The log of an account of which this folder, other folders on the machine, and runs on other accounts have written. */
async function logOf(runs: readonly PastRun[], older = '') {
  const folder = temporaryFolder();
  const env = { WEBDATA_STATE_FOLDER: join(folder, 'state') };
  const [journal, machine] = [join(folder, 'journal.jsonl'), openMachineLog(env)?.address ?? ''];
  mkdirSync(dirname(machine), { recursive: true, mode: 0o700 });
  writeFileSync(journal, linesOf(runs.filter(({ isOwn }) => isOwn)), { mode: 0o600 });
  writeFileSync(machine, older + linesOf(runs.filter(({ isOnMachine }) => isOnMachine)), { mode: 0o600 });
  const place = (account: string) => openFolderBackend({ journal, account, env });
  return accountLogOf(await AccountBackend.open({ memories: place }, config), { env, cwd: folder });
}

/** Runs in the order of their beginnings, each somewhere; in the folder, all are of its account. */
const history = fc
  .array(
    fc.record({ place: fc.constantFrom('own', 'machine', 'both', 'foreign'), pause: fc.integer({ min: 1, max: 3 }) }),
    {
      maxLength: 14,
    },
  )
  .map((runs) => {
    let minute = 0;
    return runs.map(({ place, pause }, index): PastRun => {
      minute += pause;
      const isOwn = place === 'own' || place === 'both';
      return {
        id: `aaaa${String(index).padStart(4, '0')}`,
        minute,
        isOwn,
        isOnMachine: place !== 'own',
        isOfAccount: place !== 'foreign',
      };
    });
  });

const idsOf = (runs: readonly { id: string }[]) => runs.map(({ id }) => id);

describe('a page of the history of an account', () => {
  it('has the newest runs of this folder and of the others on the machine', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 5 }), async (runs, limit) => {
        const log = await logOf(runs);
        const all = idsOf(await log.all());
        expect(all.toSorted()).toEqual(idsOf(runs.filter(({ isOfAccount }) => isOfAccount)));
        expect(idsOf(await log.page({ limit }))).toEqual(all.slice(-limit));
      }),
      { numRuns: 60, interruptAfterTimeLimit: 20_000 },
    );
  });

  it('has the runs since a time, wherever their lines are', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(24), async (runs, minute) => {
        const log = await logOf(runs);
        const since = at(minute);
        const expected = (await log.all()).filter(({ startedAt }) => startedAt >= since);
        expect(idsOf(await log.page({ since }))).toEqual(idsOf(expected));
      }),
      { numRuns: 40, interruptAfterTimeLimit: 20_000 },
    );
  });

  it('says which runs were made elsewhere', async () => {
    const log = await logOf([
      { id: 'aaaa0001', minute: 1, isOwn: true, isOnMachine: true, isOfAccount: true },
      { id: 'aaaa0002', minute: 2, isOwn: false, isOnMachine: true, isOfAccount: true },
    ]);
    const page = await log.page({ limit: 5 });
    expect(page.map(({ id, isElsewhere = false }) => [id, isElsewhere])).toEqual([
      ['aaaa0001', false],
      ['aaaa0002', true],
    ]);
  });
});

it('a long log of a machine is read from its end, but for open calls: runs older than five weeks are left out', async () => {
  const open = pastRuns(1, url, 9_999_999).split('\n').slice(0, 2).join('\n');
  const newest = { id: 'aaaa0001', minute: 1, isOwn: false, isOnMachine: true, isOfAccount: true };
  const read = async (count: number) => {
    const log = await logOf([newest], `${open}\n${pastRuns(count, url)}`);
    const { runs } = await log.recent();
    return { all: await log.all(), page: await log.page({ limit: 50 }), isOpenKnown: runs.some(({ ended }) => !ended) };
  };
  expect((await read(100)).all).toHaveLength(102);
  const { all, page, isOpenKnown } = await read(8000);
  expect(all.length).toBeLessThan(5000);
  expect([all.at(-1)?.id, page.at(-1)?.id, page.length, isOpenKnown]).toEqual(['aaaa0001', 'aaaa0001', 50, true]);
});
