/** `webdata drift`. */
import type { Command } from 'commander';
import { openAccount } from '../../engine/account.ts';
import { type AccountDrift, hasChanges, isDrift } from '../../engine/doors/plan.ts';
import type { DeclarationEdit } from '../../report/model/declarationEdit.ts';
import { forAllAccounts } from '../execution/allAccounts.ts';
import { accountOptions } from '../execution/commandContext.ts';
import { accountsWithGone } from '../execution/goneAccounts.ts';
import { commandLine } from '../execution/nextCommand.ts';
import { allowRemovedOption, type PlanFlags, withPlanning } from '../options/coreCommands.ts';
import { type AllFlags, withAll } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { publishAndPrint, runWithReports } from '../output/reporting.ts';

const usage = {
  'webdata drift': 'exit 2 if the live state is not as it was applied',
  "webdata drift --all 'accounts/*.yaml'": 'every account; the exit code is the worst',
  'webdata drift --strict --report junit=drift.xml': 'unmanaged IPs too, with a report for CI',
};

export interface DriftFlags extends PlanFlags {
  /** Takes an edit that accepts the drift, which is then neither shown nor written. */
  takeEdit?: (edit: DeclarationEdit) => void;
}

export type DriftCommandFlags = DriftFlags & AllFlags;

/** The part of a feature in drift. */
export interface DriftExtension {
  addOptions(command: Command): void;
  examples: Readonly<Record<string, string>>;
  /** Returns the command that it offers after drift. */
  next(flags: DriftFlags): string;
  /** Runs in place of the comparison; undefined if none of its options is set. */
  run(flags: DriftFlags, io: Io): Promise<ExitCode> | undefined;
}

export const addDriftWith =
  (extension?: DriftExtension) =>
  (command: Command, { io, end }: Shell): void => {
    withDriftOptions(command, extension).action(async (flags: DriftCommandFlags) =>
      end(await runDrift(flags, io, extension)),
    );
    addExamples(command, { ...usage, ...extension?.examples });
  };

export function withDriftOptions(command: Command, extension?: DriftExtension): Command {
  withAll(withPlanning(command))
    .addOption(allowRemovedOption())
    .option('--strict', 'count unmanaged IPs as drift')
    .option('--pending', 'count pending changes (declared, but not yet applied) as drift');
  extension?.addOptions(command);
  return command;
}

export function runDrift(flags: DriftCommandFlags, io: Io, extension?: DriftExtension): Promise<ExitCode> {
  return runWithReports('drift', flags, io, async (reporting) => {
    if (flags.all === undefined) return drift(flags, reporting, extension);
    const accounts = await accountsWithGone(flags, reporting);
    return forAllAccounts('drift', accounts, flags, reporting, (_, accountFlags, accountIo) =>
      drift(accountFlags, accountIo, extension),
    );
  });
}

async function drift(flags: DriftFlags, io: Io, extension?: DriftExtension): Promise<ExitCode> {
  const ending = extension?.run(flags, io);
  if (ending !== undefined) return ending;
  await using account = await openAccount(accountOptions(flags, io));
  const found = await account.drift();
  const { report } = found;
  const { plan } = report;
  // A pending change must be applied, even if --pending counts it as drift: the extension is offered for real drift only.
  const hasDrift = plan.resources.some((resource) => isDrift(resource, { ...report, pending: false }));
  const offers = hasDrift && extension !== undefined ? [extension.next(flags)] : [];
  const next = hasChanges(found.plan.report.plan) ? [commandLine(['apply'], flags), ...offers] : [];
  await publishAndPrint({ ...report, next }, flags, io);
  return driftCode(found);
}

/** Returns the exit code of `webdata drift`. */
export function driftCode({ problems, isDrifted }: Pick<AccountDrift, 'problems' | 'isDrifted'>): ExitCode {
  return problems.length > 0 ? exitCodes.error : isDrifted ? exitCodes.changes : exitCodes.done;
}
