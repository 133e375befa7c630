/** What an apply sends, and what it says about each resource afterwards. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { ServiceError, type ServiceErrorCode } from '../../../src/client/errors.ts';
import { bareConfig } from '../../../src/engine/declaration/config.ts';
import type { Planned } from '../../../src/engine/plan/planned.ts';
import { applyPlanned, callsLeft, failureOf, skipped } from '../../../src/engine/run/apply.ts';
import { beginRun } from '../../../src/engine/run/journal.ts';
import { openSession } from '../../../src/engine/run/session.ts';
import type { Call } from '../../../src/kinds/call.ts';
import type { Context } from '../../../src/kinds/context.ts';
import type { AnyKind } from '../../../src/kinds/kind.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { portsCall, resource, settingsCall, settingsId } from '../../report/samples.ts';

const config = bareConfig({ env: {} });

function refusal(code: ServiceErrorCode): ServiceError {
  const request = { method: 'PUT', url: 'http://127.0.0.1:22999/api/settings' };
  return new ServiceError('refused', { code, effect: 'none', request, fix: 'none', transient: false });
}

/** Resources of one concurrency key; `fails` is what converging the first of them ends with. */
async function applied(fails: ServiceErrorCode, keys: readonly string[], unread?: ServiceError) {
  const converged: string[] = [];
  const definition: AnyKind = {
    ...(managerSettings as AnyKind),
    async converge(_spec, { name }) {
      converged.push(name);
      if (name === 'r0') throw refusal(fails);
    },
  };
  const planned = keys.map((concurrencyKey, index): Planned => {
    const id = { kind: definition.name, collection: definition.collection, name: `r${index}` };
    const problems = index === 0 && unread ? [{ code: unread.code, found: unread.message }] : [];
    const plan = { ...id, calls: [settingsCall], changes: [], notes: [], problems };
    const declared = { ...id, definition, spec: {} };
    return { declared, intent: 'update', plan, state: {}, concurrencyKey, ...(index === 0 && { unread }) };
  });
  await using session = Object.assign(openSession(config, {}), { [Symbol.asyncDispose]: async () => undefined });
  const writer = await beginRun(undefined, { command: 'apply', origin: '', version: '1' });
  const { resources } = await applyPlanned(planned, config, session, writer);
  return { converged, outcomes: resources.map(({ outcome }) => outcome) };
}

it.each([
  'unauthorized',
  'forbidden',
] as const)('a key that is refused (%s) skips the resources after it', async (code) => {
  expect(await applied(code, ['m', 'm', 'm'])).toEqual({
    converged: ['r0'],
    outcomes: ['failed', 'skipped', 'skipped'],
  });
});

it('a key that was refused when planning skips the resources of the same concurrency key', async () => {
  const unread = refusal('unauthorized');
  expect(await applied('refused', ['m', 'm'], unread)).toEqual({ converged: [], outcomes: ['failed', 'skipped'] });
});

it('any other failure, and a refused key of another server, skips none', async () => {
  const outcomes = ['failed', 'done', 'done'];
  expect(await applied('refused', ['m', 'm', 'm'])).toEqual({ converged: ['r0', 'r1', 'r2'], outcomes });
  expect((await applied('unauthorized', ['m', 'n', 'n'])).outcomes).toEqual(outcomes);
});

describe('a resource', () => {
  interface Setup {
    calls?: Call[];
    problems?: Planned['plan']['problems'];
    intent?: Planned['intent'];
    signal?: AbortSignal;
    act?: (context: Context, how: 'converge' | 'remove') => Promise<void>;
  }

  async function outcome({
    calls = [settingsCall, portsCall],
    problems = [],
    intent = 'update',
    signal,
    act = async () => undefined,
  }: Setup) {
    const definition: AnyKind = {
      ...(managerSettings as AnyKind),
      converge: (_, context) => act(context, 'converge'),
      removal: { ...(managerSettings as AnyKind).removal, send: (_, context) => act(context, 'remove') },
    };
    const id = { kind: definition.name, collection: definition.collection, name: 'local' };
    const plan = { ...id, calls, changes: [], notes: [], problems };
    const planned: Planned = {
      declared: { ...id, definition, spec: {} },
      intent,
      plan,
      state: {},
      concurrencyKey: 'm',
    };
    const writer = await beginRun(undefined, { command: 'apply', origin: '', version: '1' });
    const result = await applyPlanned([planned], config, openSession(config, { signal }), writer);
    expect(result.plan.resources).toEqual([plan]);
    return result.resources[0];
  }

  const send = async ({ recorder }: Context, ...calls: Call[]) => {
    for (const call of calls) await (await recorder.sending(call)).answered({});
  };
  const made = (...calls: Call[]) =>
    calls.map((call) => expect.objectContaining({ call, answered: expect.anything() }));

  it('is done with the calls that were sent', async () => {
    expect(await outcome({ act: (context) => send(context, settingsCall, portsCall) })).toEqual({
      ...settingsId,
      outcome: 'done',
      made: made(settingsCall, portsCall),
      notMade: [],
      problems: [],
    });
  });

  it('fails with the calls that were not sent, and with its location in the declaration', async () => {
    const problem = { code: 'not-taken', found: 'logs did not change', path: ['logs'] };
    const act = async (context: Context) => {
      await send(context, settingsCall);
      throw new ProblemError([problem]);
    };
    expect(await outcome({ act })).toEqual({
      ...settingsId,
      outcome: 'failed',
      made: made(settingsCall),
      notMade: [portsCall],
      problems: [{ ...problem, path: ['managerSettings', 'local', 'logs'] }],
    });
  });

  it('with problems is not handled', async () => {
    const problem = { code: 'count-not-met', found: 'too few' };
    const act = () => Promise.reject(new Error('handled'));
    expect(await outcome({ problems: [problem], act })).toMatchObject({
      outcome: 'failed',
      made: [],
      notMade: [settingsCall, portsCall],
      problems: [problem],
    });
  });

  it('without calls is not handled', async () => {
    const act = () => Promise.reject(new Error('handled'));
    expect(await outcome({ calls: [], act })).toEqual({
      ...settingsId,
      outcome: 'nothing',
      made: [],
      notMade: [],
      problems: [],
    });
  });

  it.each([
    ['update', 'converge'],
    ['delete', 'remove'],
  ] as const)('whose plan is to %s is handled by %s', async (intent, expected) => {
    const done: string[] = [];
    await outcome({ intent, act: async (_, how) => void done.push(how) });
    expect(done).toEqual([expected]);
  });

  it('sends planned calls only', async () => {
    const answers: (boolean | undefined)[] = [];
    const act = async ({ isPlanned }: Context) => {
      answers.push(
        isPlanned?.([settingsCall, portsCall]),
        isPlanned?.([settingsCall]),
        isPlanned?.([portsCall, settingsCall]),
      );
    };
    await outcome({ act });
    expect(answers).toEqual([true, false, false]);
  });

  it('was interrupted if the run was aborted meanwhile', async () => {
    const controller = new AbortController();
    const act = async () => {
      controller.abort();
      throw refusal('aborted');
    };
    expect(await outcome({ signal: controller.signal, act })).toMatchObject({
      outcome: 'failed',
      problems: [
        {
          code: 'interrupted',
          found: 'interrupted',
          fix: 'run the command again: it continues where this run ended',
        },
      ],
    });
  });

  it('reads the account again: the plan may be old', async () => {
    const its = openSession(config, {});
    let changes = 0;
    const session = {
      ...its,
      changed: () => {
        changes += 1;
      },
    };
    const definition: AnyKind = { ...(managerSettings as AnyKind), converge: async () => undefined };
    const id = { kind: definition.name, collection: definition.collection, name: 'local' };
    const planned = (calls: Call[]): Planned => ({
      declared: { ...id, definition, spec: {} },
      intent: 'update',
      plan: { ...id, calls, changes: [], notes: [], problems: [] },
      state: {},
      concurrencyKey: 'm',
    });
    const writer = await beginRun(undefined, { command: 'apply', origin: '', version: '1' });
    await applyPlanned([planned([settingsCall]), planned([]), planned([portsCall])], config, session as never, writer);
    expect(changes).toBe(2);
  });
});

describe('groups of resources', () => {
  async function run(keys: readonly string[], act: (name: string) => Promise<void>, parallelism?: number) {
    const definition: AnyKind = { ...(managerSettings as AnyKind), converge: (_, { name }) => act(name) };
    const planned = keys.map((concurrencyKey, index): Planned => {
      const id = { kind: definition.name, collection: definition.collection, name: `r${index}` };
      const plan = { ...id, calls: [settingsCall], changes: [], notes: [], problems: [] };
      return { declared: { ...id, definition, spec: {} }, intent: 'update', plan, state: {}, concurrencyKey };
    });
    const writer = await beginRun(undefined, { command: 'apply', origin: '', version: '1' });
    return applyPlanned(planned, config, openSession(config, {}), writer, { parallelism });
  }

  it('all end before a bug in one of them is thrown', async () => {
    const ended: string[] = [];
    const act = async (name: string) => {
      if (name === 'r0') throw new TypeError('a bug');
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended.push(name);
    };
    await expect(run(['a', 'b', 'a'], act)).rejects.toThrow('a bug');
    expect(ended).toEqual(['r1']);
  });

  it.each([
    [1, 1],
    [undefined, 2],
  ])('with parallelism %s are at most %d at a time', async (parallelism, most) => {
    let [active, highest] = [0, 0];
    await run(
      ['a', 'b', 'a'],
      async () => {
        active += 1;
        highest = Math.max(highest, active);
        await new Promise((resolve) => setTimeout(resolve, 5));
        active -= 1;
      },
      parallelism,
    );
    expect(highest).toBe(most);
  });
});

describe('a failure', () => {
  it.each([
    ['unauthorized', true],
    ['forbidden', true],
    ['refused', false],
  ] as const)('%s ends the run: %s', (code, ends) => {
    expect(failureOf(refusal(code), undefined)).toEqual({
      problems: [{ code, found: 'refused', fix: 'none', affects: [] }],
      ends,
    });
    expect(failureOf(refusal(code), new AbortController().signal).ends).toBe(ends);
  });

  it('of an aborted run has the reason of the abort', () => {
    const lost = { code: 'lock-lost', found: 'the lock was lost' };
    const signal = AbortSignal.abort(new ProblemError([lost]));
    expect(failureOf(refusal('refused'), signal)).toEqual({ problems: [lost], ends: true });
    expect(failureOf(new TypeError('a bug'), AbortSignal.abort())).toMatchObject({
      problems: [{ code: 'interrupted' }],
      ends: true,
    });
  });

  it('that is a bug is thrown', () => {
    expect(() => failureOf(new TypeError('a bug'), undefined)).toThrow('a bug');
  });
});

it('a skipped resource has sent nothing', () => {
  expect(skipped({ plan: resource(settingsId, [portsCall]) })).toEqual({
    ...settingsId,
    outcome: 'skipped',
    made: [],
    notMade: [portsCall],
    problems: [],
  });
});

it('calls are left unless an equal one was sent', () => {
  expect(callsLeft([settingsCall, portsCall], [])).toEqual([settingsCall, portsCall]);
  expect(callsLeft([settingsCall, portsCall], [{ ...portsCall, ports: [24011, 24010] } as Call])).toEqual([
    settingsCall,
  ]);
  expect(callsLeft([], [portsCall])).toEqual([]);
});
