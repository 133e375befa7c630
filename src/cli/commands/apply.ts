/** `webdata apply [PLAN]`. */
import type { Command } from 'commander';
import { settledByApply } from '../../sync/baseline/settled.ts';
import { readPlanFile } from '../../sync/plan/planFile.ts';
import type { Intent, Planned } from '../../sync/plan/planned.ts';
import { planOf } from '../../sync/plan/planner.ts';
import {
  comparePlanFile,
  declaredByPlan,
  isPruning,
  selectedIn,
  verifyPlanFile,
} from '../../sync/plan/verifyPlanFile.ts';
import { applyPlanned } from '../../sync/run/apply.ts';
import { runOfPlan } from '../../sync/run/journalReader.ts';
import { readAccounts } from '../execution/accountFiles.ts';
import { forAllAccounts } from '../execution/allAccounts.ts';
import type { CommandContext } from '../execution/commandContext.ts';
import { configFrom, configIfAny } from '../execution/declaration.ts';
import { type Execution, executePlan, withExclusiveContext } from '../execution/executePlan.ts';
import { assertPlanFolder, existingPlanFile } from '../execution/planFolder.ts';
import { planFrom } from '../execution/planning.ts';
import {
  type AllFlags,
  type ApplyFlags,
  addExamples,
  pruneOption,
  resendOption,
  withAll,
  withConsent,
  withPlanning,
} from '../options/options.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { runWithReports } from '../output/reporting.ts';

const usage = {
  'webdata apply': 'show the plan and ask',
  'webdata apply plan.json': 'apply a plan file, if it is still up to date',
  "webdata apply --all 'accounts/*.yaml'": 'every account, after one question',
  'webdata apply --yes --select ZoneIpAllocation/static': 'one resource, without asking',
};

export function addApply(command: Command, { io, end }: Shell): void {
  withAll(withConsent(withPlanning(command)))
    .addOption(pruneOption())
    .addOption(resendOption())
    .argument('[plan]', 'file from `webdata plan --output`; with --all, the folder')
    .action(async (file: string | undefined, flags: ApplyFlags & AllFlags) => {
      if (flags.all !== undefined)
        return end(await runWithReports('plan', flags, io, () => applyAccounts(file, flags, io)));
      const act = () => (file === undefined ? apply(flags, io) : applyFile(file, flags, io));
      const kept = file === undefined ? [] : [{ what: 'the plan that is applied', file }];
      end(await runWithReports('plan', flags, io, act, kept));
    });
  addExamples(command, usage);
}

/** Applies every account, or the plan files of a folder. */
async function applyAccounts(folder: string | undefined, flags: ApplyFlags & AllFlags, io: Io): Promise<ExitCode> {
  const accounts = await readAccounts(flags, io);
  if (folder !== undefined) await assertPlanFolder(folder, accounts, io);
  return forAllAccounts('apply', accounts, flags, io, async (account, its, accountIo) =>
    folder === undefined
      ? apply(its, accountIo)
      : applyFile(existingPlanFile(folder, account, accountIo), its, accountIo),
  );
}

async function apply(flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveContext('apply', flags, io, await configFrom(flags, io), async (context) => {
    const planned = await planFrom(context, flags, io, 'update', true);
    return executePlan(executionOf(planned, 'update', context, flags), context, flags, io);
  });
}

async function applyFile(name: string, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  const file = await readPlanFile(name, io.cwd);
  const config = declaredByPlan(file, await configIfAny(flags, io));
  return withExclusiveContext('apply', flags, io, config, async (context) => {
    verifyPlanFile(file, await runOfPlan(context.backend, file.id), context.meta);
    const planFlags = { ...flags, select: selectedIn(file), prune: isPruning(file) };
    const planned = await planFrom(context, planFlags, io, file.intent, true);
    comparePlanFile(file, planned, config);
    const execution = executionOf(planned, file.intent, context, flags);
    return executePlan({ ...execution, header: { ...execution.header, plan: file.id } }, context, flags, io);
  });
}

/**
 * Describes an apply or destroy. A declaration that cannot be met stops everything before the first call; live state that cannot be
 * read stops only its own resource.
 */
export function executionOf(
  planned: readonly Planned[],
  intent: Intent,
  { config, session }: CommandContext,
  { parallelism }: ApplyFlags,
): Execution {
  return {
    plan: planOf(planned),
    refused: planned.some(
      ({ plan, unread }) =>
        plan.problems.length > 0 && (!unread || planned.every((each) => each.plan.calls.length === 0)),
    ),
    mode: intent === 'delete' ? 'destroy' : 'plan',
    question: intent === 'delete' ? 'Destroy these resources?' : 'Make these changes?',
    header: { command: intent === 'delete' ? 'destroy' : 'apply' },
    act: (writer) => applyPlanned(planned, config, session, writer, { parallelism }),
    settled: (result) => settledByApply(planned, result),
  };
}
