/** How long calls of earlier runs are waited for before anything is planned, and what is said about those that no listing shows. */

import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/client/errors.ts';
import { bareConfig } from '../../../src/engine/declaration/config.ts';
import type { reconcileInFlight, WithheldMove } from '../../../src/engine/run/inFlight.ts';
import type { JournaledCall, ReadBackFinding, Run } from '../../../src/engine/run/journal.ts';
import { addresses, allocationId, journaled, migrate, run, seen } from '../../report/samples.ts';

// Only the timers of the global object can be faked.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise<void>((done) => void setTimeout(done, ms)),
}));
// Test files share their modules: these are loaded anew with the mock, and again without it for the files that follow.
vi.resetModules();
const inFlight = await import('../../../src/engine/run/inFlight.ts');
const { recordFindings } = await import('../../../src/engine/run/journal.ts');
const { createSession } = await import('../../../src/engine/run/session.ts');
const { accountView } = await import('../../../src/kinds/seam/accountView.ts');
afterAll(() => void vi.resetModules());

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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

it('each call is one problem, with at most 10 addresses', () => {
  const ips = addresses(12);
  const calls = [migrate('pricing', 'checkout', ips)];
  const problems = (moves: WithheldMove[]) => inFlight.resendProblems(calls, moves).map(({ found }) => found);
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
    const withheld = await inFlight.reconcileInFlight(runs, session, { lagMs: 0, record, ...options });
    return { withheld, lines, session };
  }

  const open = (more: Partial<JournaledCall>, call = move, sentAt = ago(hour)) =>
    run('0123456789', [{ ...journaled(allocationId, call, more), sentAt }], { startedAt: sentAt });
  const accepted = { answered: { at: ago(hour), count: 2 } };

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

  const notAwaited = { lagMs: 60_000 };

  async function elapsed(action: () => Promise<unknown>): Promise<number> {
    const before = Date.now();
    let after = before;
    const done = action().then(() => {
      after = Date.now();
    });
    await vi.runAllTimersAsync();
    await done;
    return after - before;
  }

  it.each([
    ['in full before calls are sent', hour, true, 300],
    ['less the age of their run by commands that only read', 100, false, 200],
    ['not by commands that only read, if their run is older', hour, false, 0],
    ['in full, if the age of their run is not known', undefined, false, 300],
  ])('are awaited for the settle time: %s', async (_, ageMs, isRecording, least) => {
    const options = { lagMs: 300, ...(!isRecording && { record: undefined }) };
    const run = { ...open(accepted), ...(ageMs !== undefined && { ageMs }) };
    const waited = await elapsed(() => reconciled([run], { pricing: [first, second], checkout: [] }, options));
    expect(waited).toBe(least);
  });

  const damage = [{ line: 7, found: 'is not JSON' }];

  it('may be hidden in a damaged run, so its settle time passes first', async () => {
    const waited = await elapsed(() => {
      const old = run('0123456789', [], { damage, ageMs: hour });
      return reconciled([old, { ...old, ageMs: 50 }, old], {}, { lagMs: 300 });
    });
    expect(waited).toBe(250);
  });

  it('are not awaited in a damaged run that is old, in a whole one, or by commands that only read', async () => {
    const waited = await elapsed(async () => {
      await reconciled([run('0123456789', [], { damage, ageMs: hour })], {}, notAwaited);
      await reconciled([run('0123456789', [], { ageMs: 0 })], {}, notAwaited);
      await reconciled([run('0123456789', [], { damage, ageMs: 0 })], {}, { ...notAwaited, record: undefined });
    });
    expect(waited).toBe(0);
  });

  it('that moved IPs lately make the session read listings again that contradict them', async () => {
    const waited = await elapsed(async () => {
      const read = { ...accepted, seen: seen(move) };
      const listings = { pricing: [first, second], checkout: [] };
      const { session } = await reconciled([{ ...open(read, move), ageMs: 50 }], listings, { lagMs: 300 });
      await session.view(accountView).list(['pricing', 'checkout']);
    });
    expect(waited).toBe(250);
  });
});
