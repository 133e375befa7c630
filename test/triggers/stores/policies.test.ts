/** What becomes of ticks that were missed, that overlap, and that find no room: as tables, on a clock that is moved. */
import { describe, expect, it } from 'vitest';
import { type ScheduleSpec, scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { type ActiveRunLimits, claimWaiting } from '../../../src/triggers/ledger/claiming.ts';
import { type CatchUp, dueTicks } from '../../../src/triggers/ledger/dueTicks.ts';
import { ledgerNow } from '../../../src/triggers/ledger/now.ts';
import { recordOutcomes } from '../../../src/triggers/ledger/outcomes.ts';
import { claimPolls, extendPollLease, recordPolls } from '../../../src/triggers/ledger/polling.ts';
import { tickDue } from '../../../src/triggers/ledger/ticking.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { moveClock } from '../moveClock.ts';
import { createScheduleRegistry } from '../registry.ts';
import { describeStores, type NewStore } from '../stores.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 2, 1, 12);
const hourly = { cron: '0 * * * *', timeZone: 'UTC' };

describe('missed ticks', () => {
  const at = (hour: number) => noon + hour * 60 * minute;
  const cases: [what: string, catchUp: CatchUp, lookedAt: number, fire: number[], skipped: number[]][] = [
    ['none is missed', 'skip', at(1) + 5000, [at(1)], []],
    ['skip: nothing is made up for', 'skip', at(3) + 30 * minute, [], [at(1), at(2), at(3)]],
    ['skip: the one of this moment is none that was missed', 'skip', at(3) + 5000, [at(3)], [at(1), at(2)]],
    ['latest: the last one', 'latest', at(3) + 30 * minute, [at(3)], [at(1), at(2)]],
    ['latest: the one of this moment is the last', 'latest', at(3) + 5000, [at(3)], [at(1), at(2)]],
    ['within 90 minutes: these', { withinMs: 90 * minute }, at(3) + 20 * minute, [at(2), at(3)], [at(1)]],
    ['within a day: all', { withinMs: 24 * 60 * minute }, at(3) + 20 * minute, [at(1), at(2), at(3)], []],
  ];

  it.each(cases)('%s', (_, catchUp, lookedAt, fire, skipped) => {
    const due = dueTicks(hourly, noon, lookedAt, catchUp);
    expect(due.fire).toEqual(fire);
    expect(due.skip.map(({ at: tick }) => tick)).toEqual(skipped);
    expect(due.cursor).toBe(lookedAt);
  });

  it('are combined into one if there are many: a month of ticks every second', () => {
    const due = dueTicks({ everyMs: 1000 }, noon, noon + 30 * 24 * 60 * minute, 'skip');
    expect(due.skip).toHaveLength(101);
    expect(due.skip.at(-1)?.reason).toMatch(/^missed: .*; further ticks were missed until 2026-03-31T11:58:59\.999Z$/);
    // Those of the last minute are not missed.
    expect(due.fire).toHaveLength(61);
  });

  it('are processed in batches if very many are due', () => {
    const end = noon + 60 * minute;
    const first = dueTicks({ everyMs: 1000 }, noon, end, { withinMs: 2 * 60 * minute });
    expect(first.fire).toHaveLength(1000);
    expect(first.cursor).toBe(first.fire.at(-1));
    const second = dueTicks({ everyMs: 1000 }, first.cursor, end, { withinMs: 2 * 60 * minute });
    expect(second.fire[0]).toBe((first.fire.at(-1) ?? 0) + 1000);
  });
});

/** A ledger whose clock stands at a full hour, and what a worker would do to it. */
async function ledger(newStore: NewStore, limits: ActiveRunLimits = {}) {
  const database = await openStore(await newStore());
  const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
  const start = Math.ceil(Date.now() / (60 * minute)) * 60 * minute;
  const goTo = async (time: number) => {
    const [row] = await database.query<{ value: number }>(`SELECT value FROM meta WHERE key = 'clock_offset'`);
    await moveClock(database, (row?.value ?? 0) + time - (await ledgerNow(database)));
  };
  await goTo(start + 1000);
  return {
    registry,
    database,
    put: (name: string, spec: Partial<ScheduleSpec>) =>
      registry.putSchedule(
        'acme',
        name,
        scheduleSpec().parse({ collector: 'c_prices', every: '1m', inputs: [{ url: 'https://a.example' }], ...spec }),
      ),
    minutes: async (count: number) => {
      await goTo(start + count * minute + 1000);
      await tickDue(database);
    },
    claim: async () => (await claimWaiting(database, 10, limits)).sort((a, b) => a.run.tickAt - b.run.tickAt),
    accept: async (claims: Awaited<ReturnType<typeof claimWaiting>>) => {
      await recordOutcomes(
        database,
        claims.map((claim) => ({ claim, outcome: { status: 'accepted', collectionId: `j_${claim.run.id}` } })),
      );
    },
    states: async () => (await registry.runs({})).reverse().map(({ state }) => state),
  };
}

describeStores('a tick while the run before it goes on', (newStore) => {
  it.each([
    ['skip', 0, ['running', 'skipped']],
    ['queue', 0, ['running', 'waiting']],
    ['cancel', 1, ['cancelled', 'running']],
    ['allow', 1, ['running', 'running']],
  ] as const)('overlap %s: %i more is triggered', async (overlap, more, states) => {
    const { put, minutes, claim, accept, states: found, database } = await ledger(newStore);
    await put('often', { overlap });
    await minutes(1);
    await accept(await claim());
    await minutes(2);
    const second = await claim();
    expect(second).toHaveLength(more);
    await accept(second);
    expect(await found()).toEqual(states);
    await database.close();
  });

  it('overlap queue: runs start one after another, the oldest first', async () => {
    const { put, minutes, claim, accept, states, database } = await ledger(newStore);
    await put('often', { overlap: 'queue' });
    await minutes(1);
    await accept(await claim());
    await minutes(2);
    await minutes(3);
    expect(await claim()).toEqual([]);
    const [polled] = await claimPolls(database, 1);
    if (polled === undefined) throw new Error('nothing is to be asked about');
    await recordPolls(database, [{ run: polled, answer: { status: 'finished', rows: 3 } }]);
    const next = await claim();
    expect(next).toHaveLength(1);
    await accept(next);
    expect(await states()).toEqual(['finished', 'running', 'waiting']);
    await database.close();
  });

  it('is polled by one server at a time, for any duration, and by another one if that server died', async () => {
    const { put, minutes, claim, accept, database } = await ledger(newStore);
    await put('rare', { every: '1h' });
    await minutes(60);
    await accept(await claim());
    await minutes(61);
    const [polled] = await claimPolls(database, 1);
    if (polled === undefined) throw new Error('nothing is to be asked about');
    await minutes(62);
    await extendPollLease(database, polled);
    await minutes(62 + 4 / 60);
    expect(await claimPolls(database, 1)).toEqual([]);
    await minutes(62 + 10 / 60);
    expect(await claimPolls(database, 1)).toHaveLength(1);
    await database.close();
  });

  it('waits while the maximum number of runs is active, for the account and for each collector', async () => {
    const { put, minutes, claim, database } = await ledger(newStore, { account: 3, target: 2 });
    for (const name of ['a', 'b', 'c']) await put(name, { collector: 'c_prices' });
    for (const name of ['d', 'e']) await put(name, { collector: 'c_news' });
    await minutes(1);
    const claims = [...(await claim()), ...(await claim())];
    const targets = claims.map(({ run }) => run.target);
    expect(targets).toHaveLength(3);
    // Which of the two has two of them is left open: all came at the same tick.
    expect(new Set(targets).size).toBe(2);
    expect(await claim()).toEqual([]);
    await database.close();
  });
});

describeStores('a schedule', (newStore) => {
  it('first ticks strictly after it was created, changed or resumed', async () => {
    const { put, minutes, registry, states, database } = await ledger(newStore);
    const { nextTickAt } = await put('often', {});
    expect(nextTickAt).toBeGreaterThan(await registry.now());
    await registry.setPaused('acme', 'often', true);
    await minutes(5);
    expect(await states()).toEqual([]);
    await registry.setPaused('acme', 'often', false);
    await minutes(5);
    expect(await states()).toEqual([]);
    await minutes(6);
    expect(await states()).toEqual(['waiting']);
    await put('often', { every: '2m' });
    await minutes(7);
    expect(await states()).toEqual(['waiting']);
    await database.close();
  });

  it('keeps its ticks if a change does not affect the timing', async () => {
    const { put, minutes, registry, database } = await ledger(newStore);
    const before = await put('often', {});
    await minutes(0);
    const after = await put('often', { inputs: [{ url: 'https://b.example' }] });
    expect(after.nextTickAt).toBe(before.nextTickAt);
    expect((await registry.records('acme')).schedules).toHaveLength(1);
    await database.close();
  });

  it('that is removed keeps its runs, and waiting runs do not start', async () => {
    const { put, minutes, claim, accept, registry, states, database } = await ledger(newStore);
    await put('often', { overlap: 'allow' });
    await minutes(1);
    await accept(await claim());
    await minutes(2);
    expect(await registry.deleteSchedule('acme', 'often')).toBe(true);
    expect(await registry.deleteSchedule('acme', 'often')).toBe(false);
    expect(await states()).toEqual(['running', 'skipped']);
    expect(await claim()).toEqual([]);
    await database.close();
  });
});
