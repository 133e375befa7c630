/** Moves that the service accepted and no listing shows: they are not sent again by themselves. */
import { expect, it } from 'vitest';
import { resendProblems, type WithheldMove, withoutResends } from '../../../src/sync/run/inFlight.ts';
import { addresses, migrate, portsCall, samplePlan } from '../../report/samples.ts';

const at = '2026-07-01T10:00:00.000Z';
const withheld = (ips: readonly string[], more: Partial<WithheldMove> = {}): WithheldMove[] =>
  ips.map((ip) => ({
    ip,
    from: 'pricing',
    to: 'checkout',
    acceptedAt: at,
    by: 'run 01234567',
    isListed: true,
    ...more,
  }));

it('a move from the same zone is a problem, wherever it goes', () => {
  const [problem, second] = resendProblems([migrate('pricing', 'archive', ['192.0.2.1'])], withheld(['192.0.2.1']));
  expect(second).toBeUndefined();
  expect(problem).toMatchObject({
    code: 'accepted-unseen',
    found: `run 01234567 moved 1 IP from pricing to checkout: the service accepted the call (${at}), but no listing shows it: 192.0.2.1`,
  });
});

it('other moves are none', () => {
  const known = withheld(['192.0.2.1']);
  expect(resendProblems([migrate('archive', 'checkout', ['192.0.2.1'])], known)).toEqual([]);
  expect(resendProblems([migrate('pricing', 'checkout', ['192.0.2.2'])], known)).toEqual([]);
  expect(resendProblems([portsCall], known)).toEqual([]);
  expect(resendProblems([], known)).toEqual([]);
});

it('a count that is filled in place of an IP that is in no listing is a problem', () => {
  const codesWith = (to: string, reason: 'count' | 'declared', isListed: boolean) => {
    const { moves, ...call } = migrate('parked', to, ['192.0.2.2']);
    const calls = [{ ...call, moves: moves.map((move) => ({ ...move, reason })) }];
    return resendProblems(calls, withheld(['192.0.2.1'], { isListed })).map(({ code }) => code);
  };
  expect(codesWith('checkout', 'count', false)).toEqual(['accepted-unseen']);
  expect(codesWith('checkout', 'count', true)).toEqual([]);
  expect(codesWith('checkout', 'declared', false)).toEqual([]);
  expect(codesWith('archive', 'count', false)).toEqual([]);
});

it('each call is one problem, with at most 10 addresses', () => {
  const ips = addresses(12);
  const calls = [migrate('pricing', 'checkout', ips)];
  const problems = (moves: WithheldMove[]) => resendProblems(calls, moves).map(({ found }) => found);
  expect(problems([...withheld(ips.slice(0, 1)), ...withheld(ips.slice(1, 2), { by: 'another run' })])).toHaveLength(2);
  expect(
    problems([...withheld(ips.slice(0, 1)), ...withheld(ips.slice(1, 2), { acceptedAt: '2026-07-02' })]),
  ).toHaveLength(2);
  const [ten] = problems(withheld(ips.slice(0, 10)));
  expect(ten).toMatch(/moved 10 IPs .*: [\d., ]+$/);
  const [twelve] = problems(withheld(ips));
  expect(twelve).toContain(`${ips[9]}, and 2 more`);
  expect(twelve).not.toContain(`${ips[10]}`);
});

it('a plan keeps its own problems, and gets one for each resource that would send a move again', () => {
  const calls = [migrate('pricing', 'checkout', ['192.0.2.1'])];
  const [first, ...rest] = samplePlan.resources;
  if (first === undefined) throw new Error('the sample has no resource');
  const own = { code: 'own', found: 'of the plan' };
  const plan = { resources: [{ ...first, calls, problems: [own] }, ...rest.map((each) => ({ ...each, calls: [] }))] };
  const after = withoutResends(plan, withheld(['192.0.2.1']));
  expect(after.resources[0]?.problems.map(({ code }) => code)).toEqual(['own', 'accepted-unseen']);
  expect(after.resources.slice(1).map(({ problems }) => problems)).toEqual(rest.map(({ problems }) => problems));
});
