/** `webdata apply [PLAN]`: makes the live account as declared, after showing the plan and asking. */
import type { Command } from 'commander';
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
import type { Workbench } from '../execution/commandContext.ts';
import { configFrom, configIfAny } from '../execution/declaration.ts';
import { carryOut, type Undertaking, withExclusiveWorkbench } from '../execution/executePlan.ts';
import { planFrom } from '../execution/planning.ts';
import { examples } from '../options/examples.ts';
import { type ApplyFlags, pruneOption, resendOption, withConsent, withPlanning } from '../options/options.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { reporting } from '../output/reporting.ts';

export function addApply(command: Command, { io, end }: Shell): void {
  withConsent(withPlanning(command))
    .addOption(pruneOption())
    .addOption(resendOption())
    .argument('[plan]', 'a file that `webdata plan --out` wrote')
    .addHelpText(
      'after',
      examples({
        'webdata apply': 'shows the plan and asks',
        'webdata apply plan.json': 'the plan that was kept, if it is still true',
        'webdata apply --yes --select ZoneIpAllocation/static': 'one resource, without asking',
      }),
    )
    .action(async (file: string | undefined, flags: ApplyFlags) => {
      const act = () => (file === undefined ? apply(flags, io) : applyFile(file, flags, io));
      const kept = file === undefined ? [] : [{ what: 'the plan that is applied', file }];
      end(await reporting('plan', flags, io, act, kept));
    });
}

async function apply(flags: ApplyFlags, io: Io): Promise<ExitCode> {
  return withExclusiveWorkbench('apply', flags, io, await configFrom(flags, io), async (workbench) => {
    const planned = await planFrom(workbench, flags, io, 'update', true);
    return carryOut(applying(planned, 'update', workbench, flags), workbench, flags, io);
  });
}

async function applyFile(name: string, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  const file = await readPlanFile(name, io.cwd);
  const config = declaredByPlan(file, await configIfAny(flags, io));
  return withExclusiveWorkbench('apply', flags, io, config, async (workbench) => {
    verifyPlanFile(file, await runOfPlan(workbench.journal, file.id), workbench.meta);
    const planned = await planFrom(
      workbench,
      { ...flags, select: selectedIn(file), prune: isPruning(file) },
      io,
      file.intent,
      true,
    );
    comparePlanFile(file, planned, config);
    const undertaking = applying(planned, file.intent, workbench, flags);
    return carryOut({ ...undertaking, header: { ...undertaking.header, plan: file.id } }, workbench, flags, io);
  });
}

/**
 * A declaration that can't be met stops everything before the first call. Live state that can't be read stops only the resource
 * that it belongs to.
 */
export function applying(
  planned: readonly Planned[],
  intent: Intent,
  { config, session }: Workbench,
  { parallelism }: ApplyFlags,
): Undertaking {
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
  };
}
