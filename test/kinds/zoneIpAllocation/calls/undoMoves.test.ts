/** What is left of a move when it is undone: IPs that are back already, that have moved on, or that two zones list. */
import { describe, expect, it } from 'vitest';
import type { SentCall } from '../../../../src/kinds/seam/call.ts';
import type { Undoing } from '../../../../src/kinds/seam/callType.ts';
import type { MigrateCall } from '../../../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import { undoMoves } from '../../../../src/kinds/zoneIpAllocation/calls/undoMoves.ts';
import { migrate } from '../../../report/samples.ts';
import { accountThatShows, viewing, type Zones } from '../listings.ts';

const [first, second, third] = ['192.0.2.9', '192.0.2.10', '192.0.2.11'];

/** Moves the IPs back from checkout to pricing. */
const back = migrate('checkout', 'pricing', [second, first]);

/** Returns what is left, and how often the zones were listed again. */
async function remaining(states: Zones[], recent: SentCall<MigrateCall>[] = [], waitBudgetMs = 10_000) {
  let pauses = 0;
  const sleep = async () => {
    pauses += 1;
  };
  const account = Object.assign(accountThatShows(...states), { waitBudgetMs });
  const context = { ...viewing(account), sleep } as unknown as Undoing['context'];
  const { call, problems } = await undoMoves.remaining(back, { context, recent, done: [] });
  return { left: call?.moves.map(({ ip }) => ip), found: problems.map(({ code, found }) => [code, found]), pauses };
}

describe('what is left to move back', () => {
  it('is every IP that is not back yet', async () => {
    expect(await remaining([{ checkout: [first, second], pricing: [third] }])).toEqual({
      left: [second, first],
      found: [],
      pauses: 0,
    });
    expect(await remaining([{ checkout: [second], pricing: [first] }])).toMatchObject({ left: [second], found: [] });
    expect(await remaining([{ checkout: [third], pricing: [first, second] }])).toMatchObject({
      left: undefined,
      found: [],
    });
  });

  it('is refused if an IP has moved on', async () => {
    const gone = (ips: string) => `${ips} no longer in checkout: moved since by something else or by a later run`;
    const one = await remaining([{ checkout: [first], pricing: [] }]);
    expect(one.found).toEqual([['changed-since', gone(`${second} is`)]]);
    const two = await remaining([{ checkout: [third], pricing: [] }]);
    expect(two.found).toEqual([['changed-since', gone(`${first}, ${second} are`)]]);
  });

  it('is refused if an IP is listed in both zones', async () => {
    const one = await remaining([{ checkout: [first, second], pricing: [second] }]);
    expect(one.found).toEqual([['ip-seen-twice', `${second} is listed in checkout and in pricing`]]);
    const two = await remaining([{ checkout: [first, second], pricing: [second, first] }]);
    expect(two.found).toEqual([['ip-seen-twice', `${first}, ${second} are listed in checkout and in pricing`]]);
  });
});

describe('the zones are listed again', () => {
  it('while an IP is in neither zone, or in both', async () => {
    const settled = { checkout: [first], pricing: [second] };
    expect(
      await remaining([{ checkout: [first], pricing: [] }, { checkout: [first, second], pricing: [second] }, settled]),
    ).toEqual({ left: [first], found: [], pauses: 2 });
    expect(await remaining([{ checkout: [first], pricing: [] }, settled], [], 0)).toMatchObject({
      found: [['changed-since', expect.any(String)]],
      pauses: 0,
    });
  });

  it('while an IP is not where a recent call has put it', async () => {
    const at = '2026-07-01T10:00:00.000Z';
    const before = { checkout: [first], pricing: [second] };
    const after = { checkout: [first, second], pricing: [] };
    const call = migrate('pricing', 'checkout', [first, second]);
    expect(await remaining([before, after], [{ call, sentAt: at }])).toMatchObject({
      left: [second, first],
      pauses: 1,
    });
    const seen = { at, moved: [first], notMoved: [second], elsewhere: [], notVisible: [] };
    expect(await remaining([before, after], [{ call, sentAt: at, seen }])).toMatchObject({ left: [first], pauses: 0 });
    const again = migrate('checkout', 'pricing', [first]);
    expect(
      await remaining([before, { checkout: [], pricing: [first, second] }], [{ call: again, sentAt: at }]),
    ).toEqual({ left: undefined, found: [], pauses: 1 });
  });
});

describe('two calls', () => {
  it('are sent together unless they move the same IP', () => {
    const other = migrate('parked', 'pricing', [third]);
    expect(undoMoves.joins([back], other)).toBe(true);
    expect(undoMoves.joins([other, back], migrate('pricing', 'parked', [third, first]))).toBe(false);
    expect(undoMoves.joins([], back)).toBe(true);
  });
});
