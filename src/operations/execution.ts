/** Carries out a plan for apply, destroy and undo: journals the run, makes the calls, and records the end and the baseline. */

import type { Problem } from '../diagnostics/problem.ts';
import type { Call, CallOutcome } from '../kinds/call.ts';
import type { PlanMode } from '../kinds/callType.ts';
import { outcomeOf } from '../kinds/knownCalls.ts';
import { hasFailed } from '../report/model/report.ts';
import type { Settled } from '../sync/baseline/baseline.ts';
import { updateBaseline } from '../sync/baseline/baselineDocument.ts';
import { settledByApply } from '../sync/baseline/settled.ts';
import type { Plan, ResourceId } from '../sync/plan/plan.ts';
import { type Intent, isRefused, type Planned } from '../sync/plan/planned.ts';
import { planOf } from '../sync/plan/planner.ts';
import { applyPlanned } from '../sync/run/apply.ts';
import type { Command, JournaledCall, RunHeader, RunResult, RunWriter } from '../sync/run/journal.ts';
import type { ApplyResult } from '../sync/run/outcome.ts';
import { shortRunId } from '../sync/run/runId.ts';
import type { PlanningContext, SessionContext } from './context.ts';
import { explainedProblems } from './explain.ts';

export interface Execution {
  plan: Plan;
  /** The plan is shown, and no call is made. */
  refused: boolean;
  mode: PlanMode;
  header: Pick<RunHeader, 'plan' | 'undoes'> & { command: Command };
  act(writer: RunWriter): Promise<ApplyResult>;
  /** Returns what the baseline learns from the run. Without a result, there was nothing to do. */
  settled(result: ApplyResult | undefined): Settled[];
}

/**
 * Describes an apply or destroy. A declaration that cannot be met stops everything before the first call; live state that cannot be
 * read stops only its own resource.
 */
export function executionOf(
  planned: readonly Planned[],
  intent: Intent,
  { config, session }: SessionContext,
  { parallelism }: { parallelism?: number },
): Execution {
  return {
    plan: planOf(planned),
    refused: isRefused(planned),
    mode: intent === 'delete' ? 'destroy' : 'plan',
    header: { command: intent === 'delete' ? 'destroy' : 'apply' },
    act: (writer) => applyPlanned(planned, config, session, writer, { parallelism }),
    settled: (result) => settledByApply(planned, result),
  };
}

interface Executed {
  /** The id of the run. */
  run: string;
  result: ApplyResult;
  failed: boolean;
  /** The problems of recording the run: the result still says what was done. */
  unrecorded: Problem[];
}

/** Makes the calls of a plan that is not refused and has changes. */
export async function executeCalls(
  { header, act, settled }: Execution,
  context: PlanningContext,
  signal: AbortSignal,
  observe?: (event: CallEvent) => void,
): Promise<Executed> {
  const begun = await context.log.begin({ ...header, ...context.meta, front: context.front });
  const writer = observe === undefined ? begun : observed(begun, observe);
  const result = await act(writer);
  const failed = hasFailed(result);
  const unended = await endProblems(writer, failed ? 'failed' : 'done', signal);
  const { id: run } = writer.run;
  const unrecorded = unended.length > 0 ? unended : await recordBaseline(settled(result), run, context, signal);
  return { run, result, failed, unrecorded };
}

/** The progress of a call, after it is in the journal. */
export type CallEvent =
  | { type: 'sending'; run: string; resource: ResourceId; call: Call }
  | { type: 'outcome'; run: string; resource: ResourceId; call: Call; outcome: CallOutcome; record: JournaledCall };

/** Reports each call when it is in the journal, and each time that more is known about it. */
function observed(writer: RunWriter, observe: (event: CallEvent) => void): RunWriter {
  return {
    ...writer,
    async sending(resource, call) {
      const id = { run: writer.run.id, resource, call };
      const record = await writer.sending(resource, call);
      const journaled = writer.callsOf(resource).find((each) => each.call === call);
      const report = () => {
        if (journaled) observe({ type: 'outcome', ...id, outcome: outcomeOf(journaled), record: { ...journaled } });
      };
      observe({ type: 'sending', ...id });
      return {
        answered: async (answer) => {
          await record.answered(answer);
          report();
        },
        failed: async (error) => {
          await record.failed(error);
          report();
        },
        withdraw: async () => {
          await record.withdraw();
          report();
        },
        seen: async (seen) => {
          await record.seen(seen);
          report();
        },
      };
    },
  };
}

/** Updates the baseline after a plan without changes. Returns the problem if it could not be written. */
export function settleUnchanged(
  { settled }: Execution,
  context: PlanningContext,
  signal: AbortSignal,
): Promise<Problem[]> {
  return recordBaseline(settled(undefined), undefined, context, signal);
}

async function endProblems({ run, end }: RunWriter, result: RunResult, signal: AbortSignal): Promise<Problem[]> {
  try {
    await end(result);
    return [];
  } catch (error) {
    const [cause] = explainedProblems(error, signal);
    const found = `the end of run ${shortRunId(run)} is not recorded: ${cause?.found}`;
    const fix = `the report shows what was done; ${cause?.fix ?? anyFix}; the next run looks up the calls whose outcome is not recorded`;
    return [{ code: 'end-not-recorded', found, fix }];
  }
}

const anyFix = 'fix the cause and run the command again';

async function recordBaseline(
  settled: readonly Settled[],
  run: string | undefined,
  { config, backend }: PlanningContext,
  signal: AbortSignal,
): Promise<Problem[]> {
  try {
    await updateBaseline(backend, config, settled, run);
    return [];
  } catch (error) {
    const [cause] = explainedProblems(error, signal);
    const found = `the baseline was not written: ${cause?.found}`;
    const fix = `${cause?.fix ?? anyFix}; until then, \`webdata drift\` compares with the baseline before this run`;
    return [{ code: 'baseline-not-written', found, fix }];
  }
}
