/** What a long journal costs, counted in bytes and requests: a slow machine must not fail it. */
import { appendFile, mkdir, mkdtemp, open, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { pastRuns } from '../../bench/frame/pastRuns.ts';
import type { Run } from '../../src/engine/run/journal.ts';
import { readJournal, readRecentRuns, runOfPlan } from '../../src/engine/run/journalReader.ts';
import { migrationsOf, openHarness } from '../cli/harness.ts';
import { journalAt } from './journalAt.ts';

const folder = await mkdtemp(join(tmpdir(), 'webdata-journal-'));
afterAll(() => rm(folder, { recursive: true }));

const now = () => new Date().toISOString();

async function journalOf(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** The runs that matter to a plan, without the last ones of `pastRuns`. */
async function recentRuns(file: string): Promise<Run[]> {
  const { runs } = await readRecentRuns(journalAt(file));
  return runs.filter(({ id }) => !id.startsWith('00000000-'));
}

/** The bytes of the journal that a plan reads. */
async function bytesRead(file: string): Promise<number> {
  const handle = await open(file);
  const spy = vi.spyOn(Object.getPrototypeOf(handle), 'read');
  try {
    await readRecentRuns(journalAt(file));
    const results = await Promise.all(spy.mock.results.map(({ value }) => value as Promise<{ bytesRead: number }>));
    return results.reduce((sum, result) => sum + result.bytesRead, 0);
  } finally {
    spy.mockRestore();
    await handle.close();
  }
}

function openRun(run: string, ip: string, at: string): string {
  const [from, to] = ['pricing', 'checkout'];
  const resource = { kind: 'ZoneIpAllocation', collection: 'zoneIpAllocations', name: 'static' };
  const call = { type: 'migrate', from, to, moves: [{ ip, country: 'us', from, to, reason: 'declared' }] };
  const header = {
    type: 'run',
    run,
    at,
    command: 'apply',
    origin: 'http://127.0.0.1:1',
    version: '0.1.0',
    plan: 'p-1',
  };
  return [header, { type: 'sending', run, seq: 0, at, resource, call }]
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('');
}

describe('a journal of 50,000 runs', () => {
  it('is read once, and then only what was added', async () => {
    const file = await journalOf('long.jsonl', pastRuns(50_000));
    expect((await readRecentRuns(journalAt(file))).runs).toHaveLength(20);
    expect((await stat(`${file}.index`)).size).toBeLessThan(30_000);
    expect(await bytesRead(file)).toBeLessThan(40_000);

    await appendFile(file, openRun('open-run', '192.0.2.10', now()));
    expect(await recentRuns(file)).toMatchObject([{ id: 'open-run', calls: [{ seq: 0 }] }]);
    expect(await bytesRead(file)).toBeLessThan(40_000);
    expect(await readJournal(journalAt(file))).toHaveLength(50_001);
  });
});

describe('the index of a journal', () => {
  const ports = (run: string) =>
    pastRuns(1)
      .replaceAll(/00000000-[\w-]+/g, run)
      .replace(
        /"call":\{.*\}\]\}/,
        '"call":{"type":"deletePorts","manager":"http://127.0.0.1:22999","ports":[24010],"observed":false}',
      )
      .replace(/\{"type":"seen".*\n/, '');

  it('keeps open calls and deleted ports, however long ago they were', async () => {
    const file = await journalOf(
      'open.jsonl',
      ports('ports-run') + openRun('old', '192.0.2.10', '2023-01-01T00:00:00.000Z') + pastRuns(2000),
    );
    for (let time = 0; time < 2; time++) {
      const { facts } = await readRecentRuns(journalAt(file));
      expect(await recentRuns(file)).toMatchObject([{ id: 'old', calls: [{ seq: 0 }] }]);
      expect([...(facts.get('deleted ports of loopback:22999') ?? [])]).toEqual(['24010']);
    }
    expect(await bytesRead(file)).toBeLessThan(40_000);
    expect(await runOfPlan(journalAt(file), 'p-1')).toMatchObject({ id: 'old' });
  });

  it.each([
    ['was cut', (file: string) => truncate(file, 1000)],
    ['was replaced', (file: string) => writeFile(file, openRun('other', '192.0.2.10', now()))],
    [
      'was edited',
      async (file: string) => writeFile(file, openRun('other', '192.0.2.10', now()) + (await readFile(file, 'utf8'))),
    ],
  ])('is ignored once the journal %s', async (what, change) => {
    const file = await journalOf('changed.jsonl', pastRuns(2000));
    await readRecentRuns(journalAt(file));
    await change(file);
    expect((await recentRuns(file)).map(({ id }) => id)).toEqual(what === 'was cut' ? [] : ['other']);
  });

  it.each([
    '',
    'oops',
    '{}',
    '{"format":"webdata.journal-index/1","bytes":-1}',
  ])('is ignored if it is damaged: %j', async (text) => {
    const file = await journalOf('damagedIndex.jsonl', pastRuns(1000) + openRun('open', '192.0.2.10', now()));
    await writeFile(`${file}.index`, text);
    expect(await recentRuns(file)).toMatchObject([{ id: 'open' }]);
  });
});

describe('2,000 open calls', () => {
  it('list each zone as often as one', async () => {
    await using harness = await openHarness('plain');
    const { webdata, write, emulator } = harness;
    await mkdir(join(harness.folder, '.webdata'));
    const declaration =
      'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
    await write('webdata.yaml', `service: { profile: { settleSeconds: 1 } }\n${declaration}`);
    const listings = async (count: number) => {
      const runs = Array.from({ length: count }, (_, index) =>
        openRun(`run-${index}`, '192.0.2.10', '2024-01-01T00:00:00.000Z'),
      );
      await write(
        '.webdata/journal.jsonl',
        runs.join('').replaceAll('http://127.0.0.1:1', new URL(emulator.apiUrl).origin),
      );
      // No call is so recent that a plan waits for it.
      await utimes(join(harness.folder, '.webdata/journal.jsonl'), 0, 0);
      emulator.clearRequests();
      expect(await webdata('plan')).toMatchObject({ code: 0 });
      return emulator.requests().filter(({ route }) => route === 'zone/ips').length;
    };
    const once = await listings(1);
    expect(await listings(2000)).toBe(once);
    expect(once).toBeLessThanOrEqual(4);
    expect(migrationsOf(emulator.requests())).toEqual([]);
  });
});
