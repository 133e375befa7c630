/** Sends the calls to a proxy manager and reads the result back: managers ignore some values without an error. */
import { assertNoProblems, type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import type { Manager } from '../../../client/areas/manager/manager.ts';
import { isUnanswered, ServiceError } from '../../../client/errors.ts';
import type { CallRecord, Context } from '../../seam/context.ts';
import { readBackMismatch } from '../../seam/readBackMismatch.ts';
import { differingSettings, liveSettings } from '../diff.ts';
import type { DeletePortsCall, UpdateSettingsCall } from './managerCalls.ts';

/** @throws ServiceError; ProblemError for each field that did not change, with the wanted and the live value */
export async function sendSettings(call: UpdateSettingsCall, manager: Manager, context: Context): Promise<void> {
  const record = await context.recorder.sending(call);
  const options = { signal: context.signal };
  const failure = await failureOf(manager.updateSettings(call.settings, options), record);
  if (failure?.effect === 'none') throw failure;
  const { settings } = await manager.readSettings(options).catch(rethrow(failure));
  const live = liveSettings(settings);
  const differing = differingSettings(call.settings, live);
  await recordSeen(record, differing.length === 0, failure);
  if (differing.length > 0 && failure) throw failure;
  if (differing.length === 0) return;
  const fix = 'find out which value the manager accepts for this setting, and declare it';
  throw new ProblemError(
    differing.map((name) =>
      readBackMismatch({ path: [name], wanted: call.settings[name], got: live[name], by: 'the manager', fix }),
    ),
  );
}

/**
 * Deletes the ports in one call; where that is refused, one by one, so that one port that the manager does not know never hides
 * the others. @throws ServiceError if the manager cannot be used at all; ProblemError for ports that still exist
 */
export async function sendDeletion(call: DeletePortsCall, manager: Manager, context: Context): Promise<void> {
  const refused = await tryDelete(call, manager, context);
  const alone: { port: number; error: ServiceError }[] = [];
  if (refused && call.ports.length > 1) {
    for (const port of call.ports) {
      const error = await tryDelete({ ...call, ports: [port] }, manager, context);
      if (error) alone.push({ port, error });
    }
  }
  const left = call.observed ? await stillThere(call.ports, manager, context) : [];
  const problems = left.map((port): Problem => {
    const said = (alone.find((failure) => failure.port === port)?.error ?? refused)?.said;
    return {
      code: 'port-still-there',
      path: ['absentPorts'],
      found: `port ${port} is still there after its deletion${said ? ` (the manager said: ${said})` : ''}`,
      fix: 'delete it in the manager, or remove it from absentPorts',
    };
  });
  assertNoProblems(problems);
}

/** Returns the refusal if the manager refused these ports. An unknown port counts as deleted. */
async function tryDelete(call: DeletePortsCall, manager: Manager, context: Context): Promise<ServiceError | undefined> {
  const record = await context.recorder.sending(call);
  const failure = await failureOf(manager.deletePorts(call.ports, { signal: context.signal }), record);
  if (failure?.code === 'refused' || failure?.code === 'not-found') return failure;
  if (failure && (failure.effect === 'none' || !call.observed)) throw failure;
  if (!call.observed) return undefined;
  const left = await stillThere(call.ports, manager, context).catch(rethrow(failure));
  await recordSeen(record, left.length === 0, failure);
  if (failure && left.length > 0) throw failure;
  return undefined;
}

/** Records the answer or the failure of a call. Returns the failure. */
async function failureOf(sending: Promise<unknown>, record: CallRecord): Promise<ServiceError | undefined> {
  const failure = await sending.then(() => undefined, serviceError);
  if (failure) await record.failed({ code: failure.code, message: failure.message, effect: failure.effect });
  else await record.answered({});
  return failure;
}

function serviceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** If the read-back fails too, the first failure is the better message. */
function rethrow(failure: ServiceError | undefined) {
  return (error: unknown): never => {
    throw failure ?? error;
  };
}

/** The effect of a call without an answer may still come, so only a visible effect is recorded. */
async function recordSeen(record: CallRecord, took: boolean, failure: ServiceError | undefined): Promise<void> {
  if (took || !failure || !isUnanswered(failure)) await record.seen({ took });
}

async function stillThere(ports: readonly number[], manager: Manager, { signal }: Context): Promise<number[]> {
  const there = new Set(await manager.ports({ signal }));
  return ports.filter((port) => there.has(port));
}
