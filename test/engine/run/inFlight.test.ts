/** Moves that the service accepted and no listing shows: they are not sent again by themselves. */

import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/client/errors.ts';
import { bareConfig } from '../../../src/engine/declaration/config.ts';
import {
  reconcileInFlight,
  resendProblems,
  unseenMoves,
  type WithheldMove,
  withoutResends,
} from '../../../src/engine/run/inFlight.ts';
import { type JournaledCall, type ReadBackFinding, type Run, recordFindings } from '../../../src/engine/run/journal.ts';
import { createSession } from '../../../src/engine/run/sessionViews.ts';
import { accountView } from '../../../src/kinds/accountView.ts';
import {
  addresses,
  allocationId,
  journaled,
  migrate,
  portsCall,
  refusal,
  run,
  samplePlan,
  seen,
  settingsCall,
  settingsId,
} from '../../report/samples.ts';

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
  expect(problem).toEqual({
    code: 'accepted-unseen',
    found: `run 01234567 moved 1 IP from pricing to checkout: the service accepted the call (${at}), but no listing shows it: 192.0.2.1`,
    allowed: 'sending a move again once it is certain that it was not carried out',
    fix: 'wait and run it again, or ask the service; --resend sends the move again, which may be charged twice',
    fixFor: {
      pulumi:
        'wait and run it again, or ask the service; `pulumi config set webdata:resend true` sends the move again, which may be charged twice',
      pulumiProvider:
        'wait and run it again, or ask the service; `resend: true` of the provider sends the move again, which may be charged twice',
      terraform:
        'wait and run it again, or ask the service; `resend = true` in the provider block sends the move again, which may be charged twice',
    },
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
  const [eleven] = problems(withheld(ips.slice(0, 11)));
  expect(eleven).toContain(`${ips[9]}, and 1 more`);
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

describe('calls whose outcome is open', () => {
  const [first, second] = ['192.0.2.1', '192.0.2.2'] as const;
  const move = migrate('pricing', 'checkout', [first, second]);
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const hour = 3_600_000;

  /** Looks up the calls of runs in an account with these listings. */
  async function reconciled(
    runs: readonly Run[],
    listings: Record<string, readonly string[]>,
    options: Partial<Parameters<typeof reconcileInFlight>[2]> = {},
  ) {
    const refused = new ServiceError('gone', {
      code: 'refused',
      effect: 'none',
      request: { method: 'GET', url: 'http://service.example' },
      fix: '',
      transient: false,
    });
    const zones = {
      listing: async (zone: string) => {
        const ips = listings[zone];
        if (ips === undefined) throw refused;
        return { ips: ips.map((ip) => ({ ip, country: 'us', geolocation: {} })), names: {} };
      },
    };
    const unused = () => {
      throw new TypeError('not used');
    };
    const session = createSession(bareConfig({ env: {} }), {
      client: () => ({ zones }) as never,
      manager: unused,
      triggers: unused,
      readFile: async () => '',
      sleep: async () => undefined,
      close: async () => undefined,
    });
    const lines: unknown[] = [];
    const log = {
      append: async (texts: readonly string[]) => void lines.push(...texts.map((text) => JSON.parse(text))),
      close: async () => undefined,
    };
    const record = (findings: readonly ReadBackFinding[]) => recordFindings({ appendToLog: async () => log }, findings);
    const withheld = await reconcileInFlight(runs, session, { lagMs: 0, record, ...options });
    return { withheld, lines, session };
  }

  const open = (more: Partial<JournaledCall>, call = move, sentAt = ago(hour)) =>
    run('0123456789', [{ ...journaled(allocationId, call, more), sentAt }], { startedAt: sentAt });
  const accepted = { answered: { at: ago(hour), count: 2 } };
  const items = { moved: [], notMoved: [], elsewhere: [], notVisible: [] };
  const line = (more: object) => ({
    type: 'seen',
    run: '0123456789',
    seq: 0,
    at: expect.any(String),
    final: true,
    ...items,
    ...more,
  });

  it('are recorded as they are found', async () => {
    const lost = { failed: { ...refusal, effect: 'unknown' as const } };
    const { withheld, lines } = await reconciled([open(lost)], { pricing: [second], checkout: [first] });
    expect(withheld).toEqual([]);
    expect(lines).toEqual([line({ moved: [first], notMoved: [second] })]);
  });

  it('are withheld if they were accepted and no listing shows them', async () => {
    const runs = [open(accepted)];
    const { withheld, lines } = await reconciled(runs, { pricing: [second], checkout: [] });
    const of = { from: 'pricing', to: 'checkout', acceptedAt: accepted.answered.at, by: 'run 01234567' };
    expect(withheld).toEqual([
      { ip: second, ...of, isListed: true },
      { ip: first, ...of, isListed: false },
    ]);
    expect(lines).toEqual([]);
  });

  it('are recorded and not withheld if they may be sent again', async () => {
    const { withheld, lines } = await reconciled(
      [open(accepted)],
      { pricing: [first, second], checkout: [] },
      { resend: true },
    );
    expect(withheld).toEqual([]);
    expect(lines).toEqual([line({ notMoved: [first, second] })]);
  });

  it('are not withheld if the service did not accept them', async () => {
    const { withheld, lines } = await reconciled([open({})], { pricing: [first, second], checkout: [] });
    expect(withheld).toEqual([]);
    expect(lines).toEqual([line({ notMoved: [first, second] })]);
  });

  it('stay open if their zones cannot be listed', async () => {
    const { withheld, lines } = await reconciled([open(accepted)], { pricing: [first] });
    expect([withheld, lines]).toEqual([[], []]);
  });

  it('are not recorded by commands that only read', async () => {
    const { withheld, lines } = await reconciled(
      [open(accepted)],
      { pricing: [], checkout: [first, second] },
      { record: undefined },
    );
    expect([withheld, lines]).toEqual([[], []]);
    const { withheld: unseen } = await reconciled(
      [open(accepted)],
      { pricing: [first], checkout: [second] },
      { record: undefined },
    );
    expect(unseen.map(({ ip }) => ip)).toEqual([first]);
  });

  it('are none of a run that knows its outcomes', async () => {
    const known = run('0123456789', [
      journaled(allocationId, move, { ...accepted, seen: seen(move) }),
      journaled(settingsId, settingsCall),
    ]);
    const { withheld, lines } = await reconciled([known], {});
    expect([withheld, lines]).toEqual([[], []]);
  });

  /** Timers may end a little early. A busy machine makes waits longer, but not shorter. */
  const early = 5;
  const notAwaited = { lagMs: 60_000 };

  async function elapsed(action: () => Promise<unknown>): Promise<number> {
    const before = Date.now();
    await action();
    return Date.now() - before;
  }

  it.each([
    ['in full before calls are sent', hour, true, 300],
    ['since their answer by commands that only read', 100, false, 200],
    // A later time comes from a clock that was set back.
    ['not longer, whatever their time', -hour, false, 300],
  ])('are awaited for the settle time: %s', async (_, answeredAgo, isRecording, least) => {
    const options = { lagMs: 300, ...(!isRecording && { record: undefined }) };
    const waited = await elapsed(() => {
      const answered = { answered: { at: ago(answeredAgo), count: 2 } };
      return reconciled([open(answered)], { pricing: [first, second], checkout: [] }, options);
    });
    expect(waited).toBeGreaterThanOrEqual(least - early);
    expect(waited).toBeLessThan(30_000);
  });

  it('are not awaited by commands that only read, if they are old', async () => {
    const options = { lagMs: hour / 2, record: undefined };
    const waited = await elapsed(() =>
      reconciled([open(accepted)], { pricing: [first, second], checkout: [] }, options),
    );
    expect(waited).toBeLessThan(30_000);
  });

  const damage = [{ line: 7, found: 'is not JSON' }];
  const settings = (more: Partial<JournaledCall>) => ({
    startedAt: ago(hour),
    calls: [{ ...journaled(settingsId, settingsCall, more), sentAt: more.sentAt ?? ago(hour) }],
  });

  it.each<[string, () => Partial<Run>, number]>([
    ['ended lately', () => ({ startedAt: ago(hour), ended: { at: ago(50), result: 'done' } }), 250],
    ['started lately', () => ({ startedAt: ago(50) }), 250],
    ['sent a call lately', () => settings({ sentAt: ago(50) }), 250],
    ['has a late answer', () => settings({ answered: { at: ago(50) } }), 250],
    ['has a late read-back', () => settings({ seen: { at: ago(50), took: true } }), 250],
    ['has a later time', () => ({ startedAt: ago(-hour) }), 300],
  ])('may be hidden in a damaged run that %s, so its settle time passes first', async (_, more, least) => {
    const waited = await elapsed(() => {
      const damaged = run('0123456789', [], { damage, ...more() });
      const old = run('0123456789', [], { startedAt: ago(hour), damage });
      return reconciled([old, damaged, old], {}, { lagMs: 300 });
    });
    expect(waited).toBeGreaterThanOrEqual(least - early);
    expect(waited).toBeLessThan(30_000);
  });

  it('are not awaited in a damaged run that is old, in a whole one, or by commands that only read', async () => {
    const waited = await elapsed(async () => {
      await reconciled([run('0123456789', [], { startedAt: ago(hour), damage })], {}, notAwaited);
      await reconciled([run('0123456789', [], { startedAt: ago(0) })], {}, notAwaited);
      await reconciled(
        [run('0123456789', [], { startedAt: ago(0), damage })],
        {},
        { ...notAwaited, record: undefined },
      );
    });
    expect(waited).toBeLessThan(30_000);
  });

  it('that moved IPs lately make the session read listings again that contradict them', async () => {
    const waited = await elapsed(async () => {
      const read = { answered: { at: ago(50), count: 2 }, seen: { ...seen(move), at: ago(50) } };
      const listings = { pricing: [first, second], checkout: [] };
      const { session } = await reconciled([open(read, move, ago(50))], listings, { lagMs: 300 });
      await session.view(accountView).list(['pricing', 'checkout']);
    });
    expect(waited).toBeGreaterThanOrEqual(250 - early);
  });
});

describe('unseen moves', () => {
  const move = migrate('pricing', 'checkout', ['192.0.2.1', '192.0.2.2']);
  const items = { notMoved: ['192.0.2.1'], notVisible: ['192.0.2.2'] };

  it('are those of an accepted call, with the time of its answer', () => {
    const sent = journaled(allocationId, move, { answered: { at, count: 2 } });
    const of = { from: 'pricing', to: 'checkout', acceptedAt: at, by: 'the last update' };
    expect(unseenMoves(sent, items, 'the last update')).toEqual([
      { ip: '192.0.2.1', ...of, isListed: true },
      { ip: '192.0.2.2', ...of, isListed: false },
    ]);
  });

  it('are none of a call that was not accepted, or that moves nothing', () => {
    expect(unseenMoves(journaled(allocationId, move), items, '')).toEqual([]);
    expect(unseenMoves(journaled(allocationId, move, { failed: refusal }), items, '')).toEqual([]);
    expect(unseenMoves(journaled(settingsId, portsCall, { answered: { at } }), items, '')).toEqual([]);
  });
});
