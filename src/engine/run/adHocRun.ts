/** Calls that belong to no declared resource. */
import type { Context } from '../../kinds/seam/context.ts';
import type { PlanningContext } from '../context.ts';
import type { Declared } from '../plan/resources.ts';
import { ActiveRun } from './activeRun.ts';
import type { AdHocCommand, JournaledCall } from './journal.ts';

/** The name that the journal has for calls of no declared resource. */
export const byHandName = 'by-hand';

interface AdHocRun extends Pick<Declared, 'definition'> {
  command: AdHocCommand;
}

interface AdHocResult {
  /** The calls that were sent. */
  calls: readonly JournaledCall[];
  error?: unknown;
}

/**
 * Makes calls, and journals each before it is sent and after its answer. Returns an error of `act` instead of throwing it, with the calls
 * made until then.
 */
export async function runAdHoc(
  { command, definition }: AdHocRun,
  { session, meta, log, inFlight, during }: PlanningContext,
  act: (context: Context) => Promise<unknown>,
): Promise<AdHocResult> {
  const begin = () => log.begin({ command, ...meta });
  const run = new ActiveRun({ begin, recentOfOthers: log.recentOfOthers, inFlight });
  const resource = { kind: definition.name, collection: definition.collection, name: byHandName };
  const { sent, error } = await during('making the calls', () =>
    run.write({
      resource,
      contextWith: (recorder) => session.contextFor({ definition, name: resource.name }, { recorder }),
      send: act,
    }),
  );
  await run.end(error === undefined ? 'done' : 'failed');
  return { calls: sent, error };
}
