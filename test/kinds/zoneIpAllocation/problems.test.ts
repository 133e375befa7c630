/** The complete texts of the problems of an allocation: what was found, what is allowed, and how to mend it. */

import { expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { failing } from '../../../src/client/errors.ts';
import { accepting } from '../../../src/features/accept/kinds.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { sendBatches } from '../../../src/kinds/zoneIpAllocation/calls/sendMigrations.ts';
import { undoMoves } from '../../../src/kinds/zoneIpAllocation/calls/undoMoves.ts';
import { allocationConflicts } from '../../../src/kinds/zoneIpAllocation/conflicts.ts';
import { convergeMoves } from '../../../src/kinds/zoneIpAllocation/converge.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { allocationSpec, type ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import { type AllocationState, observe } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { unclearListingNotes, unclearListingProblems } from '../../../src/kinds/zoneIpAllocation/unclearListings.ts';
import { migrate } from '../../report/samples.ts';
import { offered } from '../offers.ts';
import { accountThatShows, listingsOf, viewing } from './listings.ts';
import { type Answer, serviceThatAnswers } from './migratingService.ts';

const [first, second] = ['192.0.2.1', '192.0.2.2'];

function conflicts(...specs: object[]) {
  return allocationConflicts(new Map(specs.map((spec, index) => [`s${index}`, allocationSpec.parse(spec)])));
}

async function problemsOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProblemError) return error.problems;
  throw new TypeError('a ProblemError was expected', { cause: error });
}

it('two allocations that work against each other', () => {
  expect(conflicts({ zones: { a: { ips: [first] } } }, { zones: { a: { ips: [second, first] } } })).toEqual([
    {
      code: 'zone-in-two-allocations',
      path: ['s1', 'zones', 'a'],
      found: 'a is filled by two allocations',
      allowed: 'a zone in the `zones` of one allocation at most',
      also: [{ path: ['s0', 'zones', 'a'], what: 'is the other one' }],
    },
    {
      code: 'ip-declared-twice',
      path: ['s1', 'zones', 'a', 'ips', 1],
      found: `${first} is declared twice`,
      allowed: 'each IP in one place, because it can be in only one zone',
      also: [{ path: ['s0', 'zones', 'a', 'ips', 0], what: 'is the first declaration' }],
    },
  ]);
  expect(conflicts({ zones: { a: { count: 1 } } }, { zones: { b: { count: 1 } }, spare: 'a' })).toEqual([
    {
      code: 'zone-also-filled',
      path: ['s1', 'spare'],
      found: 'a is filled by another allocation',
      allowed: 'a zone that no allocation fills',
      also: [{ path: ['s0', 'zones', 'a'], what: 'is filled here' }],
    },
  ]);
});

it('zones that do not exist', async () => {
  const fail = failing({ method: 'GET', url: 'http://service.example', read: true }, {});
  const observed = (...unknown: string[]) => {
    const error = fail('not-found', 'is unknown', { status: 404, said: 'no zone' });
    const account = { failures: async () => new Map(unknown.map((zone) => [zone, error])) };
    const context = { ...viewing(account), client: () => ({ origin: 'http://service.example' }), others: [] };
    const spec = allocationSpec.parse({ zones: { a: { count: 1 } }, sources: ['b'], spare: 'c' });
    return problemsOf(observe(spec, context as unknown as Context<ZoneIpAllocationSpec>));
  };
  expect(await observed('b')).toEqual([
    {
      code: 'unknown-zone',
      path: ['sources', 0],
      found: 'zone `b` does not exist (the service said: no zone)',
      allowed: 'the name of a zone of this account',
      fix: 'correct the name, or make the zone in the control panel (a zone cannot be renamed); if no zone of the account is found, check the URL of the service',
    },
  ]);
  expect(await observed('a', 'b', 'c')).toMatchObject([
    {
      code: 'no-zone-found',
      found: 'no declared zone exists at http://service.example (the service said: no zone)',
      fix: 'check the URL of the service (service.url, WEBDATA_API_URL or --api-url) and the key; if both are right, correct the names of the zones',
      affects: [],
    },
  ]);
});

it('IPs that did not move, or are not visible yet', async () => {
  const sent = (answer: Answer) => {
    const { context, zones } = serviceThatAnswers({ pricing: [first, second], checkout: [] }, [answer]);
    return problemsOf(sendBatches([migrate('pricing', 'checkout', [first, second])], Object.keys(zones), context));
  };
  expect(await sent({ moves: [first], count: 1 })).toEqual([
    {
      code: 'did-not-move',
      found: `moving 2 IPs from pricing to checkout: the service says that it moved 1; ${second} stayed in pricing`,
      allowed: 'all of them moved',
      fix: 'run again; if the IPs stay again, ask the service why',
    },
  ]);
  expect(await sent({ moves: [first] })).toMatchObject([
    {
      code: 'not-yet-visible',
      fix: 'run `webdata plan` in a while, before anything else is moved; if listings lag for long, raise settleSeconds in the service profile',
    },
  ]);
});

it('moves that cannot be undone', async () => {
  const remaining = async (zones: Record<string, string[]>) => {
    const context = { ...viewing(accountThatShows(zones)), sleep: async () => {} } as unknown as Context;
    const call = migrate('checkout', 'pricing', [first]);
    return (await undoMoves.remaining(call, { context, recent: [], done: [] })).problems;
  };
  expect(await remaining({ checkout: [], pricing: [] })).toEqual([
    {
      code: 'changed-since',
      found: `${first} is no longer in checkout: moved since by something else or by a later run`,
      allowed: 'undoing changes that are still as the run left them',
      fix: 'undo the later runs first, or declare where the IPs belong and apply',
    },
  ]);
  expect(await remaining({ checkout: [first], pricing: [first] })).toEqual([
    {
      code: 'ip-seen-twice',
      found: `${first} is listed in checkout and in pricing`,
      allowed: 'an IP in one zone',
      fix: 'run it again in a while; if listings lag for long, raise settleSeconds in the service profile',
    },
  ]);
});

it('zones that change without end', async () => {
  let next = 0;
  const { context, zones, put } = serviceThatAnswers({ pricing: [first], checkout: [] }, []);
  const read = () => ({ pricing: zones.pricing ?? [], listings: listingsOf(zones) });
  const observeAgain = async () => {
    put([`198.51.100.${next++}`], 'pricing');
    return read();
  };
  const plan = ({ pricing }: ReturnType<typeof read>) => ({
    batches: [migrate('pricing', 'checkout', pricing)],
    problems: [],
  });
  const options = { observe: observeAgain, plan, zones: Object.keys(zones) };
  expect(await problemsOf(convergeMoves(read(), options, context))).toEqual([
    {
      code: 'account-unsteady',
      found: 'the zones changed again after each round; after 5 rounds and 5 moved IPs, more moves are still needed',
      fix: 'find out what else changes these zones, then run again',
    },
  ]);
  const problem = { code: 'below-floor', found: 'pricing would fall below its floor' };
  const refused = { ...options, plan: () => ({ batches: [], problems: [problem] }) };
  expect(await problemsOf(convergeMoves(read(), refused, context))).toEqual([problem]);
});

it('listings that are no lists', () => {
  const unclear = new Map([['a', 'null']]);
  const filling = [migrate('b', 'a', [first], 'count')];
  expect(unclearListingNotes(['a', 'b'], unclear)).toEqual([
    { code: 'unclear-listing', text: 'a lists no IPs: the service answered with null instead of a list' },
  ]);
  expect(unclearListingProblems(filling, { unclear, allowUnclearListings: false })).toMatchObject([
    {
      code: 'unclear-listing',
      path: ['zones', 'a'],
      found: 'a would be filled, but the service answered its listing with null instead of a list of IPs',
      allowed: 'a listing that shows what the zone holds',
      fix: 'make sure in the control panel that a is empty, then pass --allow-unclear-listing',
    },
  ]);
  const written = { zones: { a: { count: 1 } } };
  const state = {
    listings: listingsOf({ a: [] }),
    unclear,
    allowUnclearListings: false,
    neighbours: { declared: new Set() },
  };
  const { problems } = offered(accepting, zoneIpAllocation).acceptLive(
    { written, spec: allocationSpec.parse(written) },
    state as unknown as AllocationState,
    { isStrict: false, isWhole: false },
  );
  expect(problems).toMatchObject([
    {
      code: 'unclear-listing',
      path: ['zones', 'a'],
      found: 'the listing of a was null, and not a list of IPs',
      fix: 'run again when the service answers with a list; if a is empty, pass --allow-unclear-listing',
    },
  ]);
});
