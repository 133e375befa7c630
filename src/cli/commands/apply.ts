/** `webdata apply [PLAN]`. */
import type { Command } from 'commander';
import { configFrom, configIfAny } from '../../operations/declaration.ts';
import { executionOf } from '../../operations/execution.ts';
import { planOfFile } from '../../operations/planning.ts';
import { readPlanFile } from '../../sync/plan/planFile.ts';
import { declaredByPlan } from '../../sync/plan/verifyPlanFile.ts';
import { readAccounts } from '../execution/accountFiles.ts';
import { forAllAccounts } from '../execution/allAccounts.ts';
import { withExclusiveContext } from '../execution/commandContext.ts';
import { executePlan } from '../execution/executePlan.ts';
import { assertPlanFolder, existingPlanFile } from '../execution/planFolder.ts';
import { planFrom, withReadingProgress } from '../execution/planning.ts';
import { type AllFlags, withAll, withConsent } from '../options/options.ts';
import { type ApplyFlags, enforceOption, pruneOption, resendOption, withPlanning } from '../options/planning.ts';
import { addExamples } from '../options/values.ts';
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
    .addOption(enforceOption())
    .argument('[plan]', 'file from `webdata plan --output`, - for stdin; with --all, the folder')
    .action(async (file: string | undefined, flags: ApplyFlags & AllFlags) => {
      if (flags.all !== undefined)
        return end(await runWithReports('plan', flags, io, (its) => applyAccounts(file, flags, its)));
      const act = (its: Io) => (file === undefined ? apply(flags, its) : applyFile(file, flags, its));
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
    return executePlan(executionOf(planned, 'update', context, flags), 'Make these changes?', context, flags, io);
  });
}

async function applyFile(name: string, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  const file = await readPlanFile(name, io);
  const config = declaredByPlan(file, await configIfAny(flags, io, { pinned: file.lists ?? [] }));
  return withExclusiveContext('apply', flags, io, config, async (context) => {
    const planned = await withReadingProgress(io, () => planOfFile(file, context, flags));
    const { header, ...execution } = executionOf(planned, file.intent, context, flags);
    const question = file.intent === 'delete' ? destroyQuestion : 'Make these changes?';
    return executePlan({ ...execution, header: { ...header, plan: file.id } }, question, context, flags, io);
  });
}

export const destroyQuestion = 'Destroy these resources?';
