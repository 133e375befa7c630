/** What becomes of calls to a manager that ignores values, refuses ports, or does not answer. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Manager } from '../../../src/client/areas/manager/manager.ts';
import { failing, type ServiceError } from '../../../src/client/errors.ts';
import { sendDeletion, sendSettings } from '../../../src/kinds/managerSettings/calls/sendCalls.ts';
import type { CallRecord, Context } from '../../../src/kinds/seam/context.ts';
import { portsCall, settingsCall } from '../../report/samples.ts';

const fail = failing({ method: 'POST', url: 'http://127.0.0.1:22999/api', read: false }, {});
const refused = fail('refused', 'was refused', { status: 400, said: 'no such port' });
const forbidden = fail('forbidden', 'was refused', { status: 403 });
const lost = fail('timed-out', 'timed out');

/** Runs the action with a recorder, and returns what was recorded and what was thrown. */
async function recorded(action: (context: Context) => Promise<void>) {
  const events: string[] = [];
  const sending = async (call: { type: string; ports?: readonly number[] }): Promise<CallRecord> => {
    events.push(`sends ${call.ports ?? call.type}`);
    return {
      answered: async () => void events.push('answered'),
      failed: async ({ code, effect }) => void events.push(`failed ${code} ${effect}`),
      withdraw: async () => {},
      seen: async (seen) => void events.push('took' in seen && seen.took ? 'took' : 'did not take'),
    };
  };
  const error: unknown = await action({ recorder: { sending } } as unknown as Context).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const problems = error instanceof ProblemError ? error.problems.map(({ found }) => found) : undefined;
  return { events, error: problems ?? (error as ServiceError | undefined)?.code };
}

describe('settings', () => {
  const wanted = settingsCall.settings;
  const before = settingsCall.before;
  const sent = (settings: object, failure?: ServiceError, unread?: ServiceError) =>
    recorded((context) => {
      const manager = {
        updateSettings: async () => {
          if (failure) throw failure;
        },
        readSettings: async () => {
          if (unread) throw unread;
          return { settings };
        },
      } as unknown as Manager;
      return sendSettings(settingsCall, manager, context);
    });

  it('are done once the manager shows them, also if its answer was lost', async () => {
    expect(await sent(wanted)).toEqual({ events: ['sends updateSettings', 'answered', 'took'], error: undefined });
    expect(await sent(wanted, lost)).toEqual({
      events: ['sends updateSettings', 'failed timed-out unknown', 'took'],
      error: undefined,
    });
  });

  it('that the manager ignored are named, with both values', async () => {
    expect(await sent({ ...wanted, logs: 1000 })).toEqual({
      events: ['sends updateSettings', 'answered', 'did not take'],
      error: ['logs: wanted 500, got 1000, although the manager accepted the change'],
    });
  });

  it('that were refused are not read back', async () => {
    expect(await sent(before, refused)).toEqual({
      events: ['sends updateSettings', 'failed refused none'],
      error: 'refused',
    });
  });

  it('may still change after a lost answer, which is the error that is shown', async () => {
    expect(await sent(before, lost)).toEqual({
      events: ['sends updateSettings', 'failed timed-out unknown'],
      error: 'timed-out',
    });
    expect((await sent(before, lost, forbidden)).error).toBe('timed-out');
    expect((await sent(before, undefined, forbidden)).error).toBe('forbidden');
  });
});

describe('ports', () => {
  const [first, second] = portsCall.ports as [number, number];
  /** Answers for calls in their order, and the ports that exist afterwards. */
  const deleted = (
    answers: (ServiceError | undefined)[],
    left: number[] | ServiceError,
    observed = true,
    ports = portsCall.ports,
  ) =>
    recorded((context) => {
      const manager = {
        deletePorts: async () => {
          const failure = answers.shift();
          if (failure) throw failure;
        },
        ports: async () => {
          if (Array.isArray(left)) return left;
          throw left;
        },
      } as unknown as Manager;
      return sendDeletion({ ...portsCall, ports, observed }, manager, context);
    });

  it('are deleted in one call', async () => {
    expect(await deleted([undefined], [])).toEqual({
      events: [`sends ${first},${second}`, 'answered', 'took'],
      error: undefined,
    });
    expect((await deleted([undefined], [second])).error).toEqual([`port ${second} is still there after its deletion`]);
  });

  it('are deleted one by one if the manager refuses them together', async () => {
    expect(await deleted([refused, undefined, refused], [])).toEqual({
      events: [
        `sends ${first},${second}`,
        'failed refused none',
        `sends ${first}`,
        'answered',
        'took',
        `sends ${second}`,
        'failed refused none',
      ],
      error: undefined,
    });
    expect((await deleted([refused, undefined, refused], [second])).error).toEqual([
      `port ${second} is still there after its deletion (the manager said: no such port)`,
    ]);
    expect(await deleted([refused], [first], true, [first])).toEqual({
      events: [`sends ${first}`, 'failed refused none'],
      error: [`port ${first} is still there after its deletion (the manager said: no such port)`],
    });
  });

  it('are not tried again if the key was refused, and a lost answer is looked up where ports are shown', async () => {
    expect(await deleted([forbidden], [first])).toEqual({
      events: [`sends ${first},${second}`, 'failed forbidden none'],
      error: 'forbidden',
    });
    expect(await deleted([lost], [])).toEqual({
      events: [`sends ${first},${second}`, 'failed timed-out unknown', 'took'],
      error: undefined,
    });
    expect((await deleted([lost], [first])).error).toBe('timed-out');
    expect((await deleted([lost], forbidden)).error).toBe('timed-out');
  });

  it('are believed to be deleted where the manager does not show them, unless the answer was lost', async () => {
    expect(await deleted([undefined], [], false)).toEqual({
      events: [`sends ${first},${second}`, 'answered'],
      error: undefined,
    });
    expect(await deleted([lost], [], false)).toMatchObject({ error: 'timed-out' });
  });
});
