/** What becomes of migrations of earlier runs whose outcome was not known when these ended. */
import { describe, expect, it } from 'vitest';
import { failing } from '../../../../src/client/errors.ts';
import type { SentCall } from '../../../../src/kinds/seam/call.ts';
import type { MigrateCall } from '../../../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import { reconcileMoves } from '../../../../src/kinds/zoneIpAllocation/calls/reconcileMoves.ts';
import { migrate } from '../../../report/samples.ts';
import { listingsOf, viewing, type Zones } from '../listings.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'];
const call = migrate('pricing', 'checkout', [first, second]);
const at = '2020-07-01T10:00:00.000Z';
const none = { moved: [], notMoved: [], elsewhere: [], notVisible: [] };
const lost = { failed: { at, code: 'timed-out', message: 'timed out', effect: 'unknown' as const } };
const fail = failing({ method: 'GET', url: 'http://service.example/zone/ips', read: true }, {});

const sentCall = (result: Partial<SentCall<MigrateCall>> = {}): SentCall<MigrateCall> => ({
  call,
  sentAt: at,
  ...result,
});

describe('the outcome of a migration', () => {
  it.each<[string, Partial<SentCall<MigrateCall>>, boolean]>([
    ['after a lost answer', lost, true],
    ['without an answer', {}, true],
    ['after an answer that was not read back', { answered: { at, count: 2 } }, true],
    ['while IPs are not visible', { ...lost, seen: { ...none, at, notVisible: [first, second] } }, true],
    ['not after IPs were seen to have moved', { ...lost, seen: { ...none, at, moved: [first, second] } }, false],
    ['not after the last look', { ...lost, seen: { ...none, at, notVisible: [first], final: true } }, false],
    ['not after a refusal', { failed: { ...lost.failed, effect: 'none' } }, false],
    ['not after an answer that nothing moved', { answered: { at, count: 0 } }, false],
  ])('is open %s', (_, result, isOpen) => {
    expect(reconcileMoves.isOpen(sentCall(result))).toBe(isOpen);
  });
});

/** An account whose listings are these, one after the other, and the moves that it remembers. */
function accountWith(...states: (Zones | Error)[]) {
  let shown = states.shift() ?? {};
  let rounds = 0;
  const events: string[] = [];
  const account = {
    changed() {
      if (rounds > 0) shown = states.shift() ?? shown;
      rounds += 1;
    },
    async list(zones: string[]) {
      if (shown instanceof Error) throw shown;
      return new Map([...listingsOf(shown)].filter(([zone]) => zones.includes(zone)));
    },
    recentMoves: {
      add: (_call: unknown, moved: Iterable<string>, until: number) =>
        events.push(`adds ${[...moved]} until ${until > performance.now() ? 'later' : until}`),
      forget: (ips: Iterable<string>) => events.push(`forgets ${[...ips]}`),
    },
  };
  return { views: viewing(account), events, rounds: () => rounds };
}

describe('a migration of an earlier run', () => {
  const recalled = (result: Partial<SentCall<MigrateCall>>) => {
    const { views, events } = accountWith();
    reconcileMoves.recall(sentCall(result), views, 7);
    return events;
  };

  it('is remembered for as long as listings may lag, if a read-back showed it', () => {
    expect(recalled({ ...lost, seen: { ...none, at, moved: [first], notMoved: [second] } })).toEqual([
      `forgets ${second}`,
      `adds ${first} until 7`,
    ]);
    expect(recalled({ answered: { at, count: 2 } })[0]).toBe(`forgets ${first},${second}`);
    expect(recalled({ answered: { at, count: 0 } })).toEqual([]);
  });
});

describe('the look at open migrations', () => {
  const open = (ms: number) => [{ sent: sentCall(lost), deadline: performance.now() + ms }];
  const before = { pricing: [first, second], checkout: [] };
  const after = { pricing: [], checkout: [first, second] };

  it('ends when all IPs have moved', async () => {
    const { views, events, rounds } = accountWith(before, { pricing: [second], checkout: [first] }, after);
    const [[, seen] = []] = await reconcileMoves.lookUp(open(60_000), views, 1_000);
    expect(seen).toEqual({ ...none, moved: [first, second] });
    expect(rounds()).toBe(3);
    expect(events).toEqual([`adds ${first},${second} until later`]);
  });

  it('ends at the deadline with what is seen then', async () => {
    const { views, rounds } = accountWith(before);
    const [[, seen] = []] = await reconcileMoves.lookUp(open(150), views, 1_000);
    expect(seen).toEqual({ ...none, notMoved: [first, second] });
    expect(rounds()).toBeGreaterThan(1);
    const late = accountWith(before);
    await reconcileMoves.lookUp(open(-1), late.views, 1_000);
    expect(late.rounds()).toBe(1);
    expect((await reconcileMoves.lookUp([], late.views, 1_000)).size).toBe(0);
  });

  it('leaves out migrations whose zones cannot be listed', async () => {
    const { views, events } = accountWith(fail('not-found', 'is unknown'));
    expect((await reconcileMoves.lookUp(open(-1), views, 1_000)).size).toBe(0);
    expect((await reconcileMoves.lookUp(open(-1), accountWith({ pricing: [first] }).views, 1_000)).size).toBe(0);
    expect((await reconcileMoves.lookUp(open(-1), accountWith({ checkout: [first] }).views, 1_000)).size).toBe(0);
    expect(events).toEqual([]);
  });

  it('fails only if it was aborted, or by a defect', async () => {
    const aborted = fail('aborted', 'was aborted');
    await expect(reconcileMoves.lookUp(open(-1), accountWith(aborted).views, 1_000)).rejects.toBe(aborted);
    const defect = new TypeError('a defect');
    await expect(reconcileMoves.lookUp(open(-1), accountWith(defect).views, 1_000)).rejects.toBe(defect);
  });
});
