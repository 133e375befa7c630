/** `webdata drift`. */
import type { Command } from 'commander';
import { hasChanges, isDrift } from '../../engine/doors/plan.ts';
import { type AcceptFlags, acceptDrift, addAcceptOptions, driftCode } from '../../features/accept/command.ts';
import { forAllAccounts } from '../execution/allAccounts.ts';
import { accountsWithGone } from '../execution/goneAccounts.ts';
import { commandLine } from '../execution/nextCommand.ts';
import { accountFrom } from '../execution/openedAccount.ts';
import { allowRemovedOption, withPlanning } from '../options/coreCommands.ts';
import { type AllFlags, withAll } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import type { ExitCode, Io, Shell } from '../output/io.ts';
import { publishAndPrint, runWithReports } from '../output/reporting.ts';

const usage = {
  'webdata drift': 'exit 2 if the live state is not as it was applied',
  "webdata drift --all 'accounts/*.yaml'": 'every account; the exit code is the worst',
  'webdata drift --strict --report junit=drift.xml': 'unmanaged IPs too, with a report for CI',
  'webdata drift --accept ManagerSettings/local': 'change the declaration of one resource to the live state',
};

export type DriftCommandFlags = AcceptFlags & AllFlags;

export function addDrift(command: Command, { io, end }: Shell): void {
  withDriftOptions(command).action(async (flags: DriftCommandFlags) => end(await runDrift(flags, io)));
  addExamples(command, usage);
}

export function withDriftOptions(command: Command): Command {
  const planning = withAll(withPlanning(command))
    .addOption(allowRemovedOption())
    .option('--strict', 'count unmanaged IPs as drift')
    .option('--pending', 'count pending changes (declared, but not yet applied) as drift');
  return addAcceptOptions(planning);
}

export function runDrift(flags: DriftCommandFlags, io: Io): Promise<ExitCode> {
  const act = (its: Io) => (flags.all === undefined ? drift(flags, its) : driftOfAccounts(flags, its));
  return runWithReports('drift', flags, io, act);
}

async function driftOfAccounts(flags: DriftCommandFlags, io: Io): Promise<ExitCode> {
  const accounts = await accountsWithGone(flags, io);
  return forAllAccounts('drift', accounts, flags, io, (_, its, accountIo) => drift(its, accountIo));
}

async function drift(flags: AcceptFlags, io: Io): Promise<ExitCode> {
  if (flags.accept !== undefined) return acceptDrift(flags, io);
  await using account = await accountFrom(flags, io);
  const found = await account.drift();
  const { report } = found;
  const { plan } = report;
  // Offers --accept for real drift only: a pending change must be applied, even if --pending counts it as drift.
  const hasDrift = plan.resources.some((resource) => isDrift(resource, { ...report, pending: false }));
  const accept = `${commandLine(['drift', '--accept'], flags)}  # declares what is live`;
  const next = hasChanges(found.plan.report.plan) ? [commandLine(['apply'], flags), ...(hasDrift ? [accept] : [])] : [];
  await publishAndPrint({ ...report, next }, flags, io);
  return driftCode(found);
}
