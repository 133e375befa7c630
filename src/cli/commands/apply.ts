/** `webdata apply [PLAN]`. */
import type { Command } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { openAccount } from '../../engine/account.ts';
import { assertNoPlanOptions, readPlanFile } from '../../engine/doors/run.ts';
import { forAllAccounts } from '../execution/allAccounts.ts';
import { askAndApply } from '../execution/askAndApply.ts';
import { accountOptions } from '../execution/commandContext.ts';
import { accountsWithGone, forgetGoneAccounts } from '../execution/goneAccounts.ts';
import { assertPlanFolder, existingPlanFile } from '../execution/planFolder.ts';
import { type ApplyFlags, withWholePlan } from '../options/coreCommands.ts';
import { type AllFlags, withConsent } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { runWithReports } from '../output/reporting.ts';

export type ApplyCommandFlags = ApplyFlags & AllFlags;

export function addApply(command: Command, { io, end }: Shell): void {
  withApplyOptions(command).action(async (file: string | undefined, flags: ApplyCommandFlags) =>
    end(await runApply(file, flags, io)),
  );
  addExamples(command, {
    'webdata apply': 'show the plan and ask',
    'webdata apply plan.json': 'apply a plan file, if it is still up to date',
    "webdata apply --all 'accounts/*.yaml' --yes": 'every account',
    'webdata apply --yes --select ZoneIpAllocation/static': 'one resource, without asking',
    'webdata apply --zone checkout': 'only the moves that touch a zone, as at night',
    'webdata apply --max-moves 500':
      'more moves than the declaration allows, once, as when a zone is emptied in a hurry',
  });
}

export function withApplyOptions(command: Command): Command {
  return withConsent(withWholePlan(command)).argument(
    '[plan]',
    'file from `webdata plan --output`, - for stdin; with --all, the folder; applied whole, so without --select, --zone and --prune',
  );
}

/** Applies the declaration, or the plan in this file. */
export async function runApply(file: string | undefined, flags: ApplyCommandFlags, io: Io): Promise<ExitCode> {
  if (file !== undefined) assertNoPlanOptions(flags);
  if (flags.all !== undefined)
    return runWithReports('plan', flags, io, (reportIo) => applyAccounts(file, flags, reportIo));
  const act = (reportIo: Io) => (file === undefined ? apply(flags, reportIo) : applyFile(file, flags, reportIo));
  const kept = file === undefined ? [] : [{ what: 'the plan that is applied', file }];
  return runWithReports('plan', flags, io, act, kept);
}

/** Applies every account, or the plan files of a folder. @throws ProblemError without --yes */
async function applyAccounts(folder: string | undefined, flags: ApplyFlags & AllFlags, io: Io): Promise<ExitCode> {
  if (!flags.yes) throw new ProblemError([noQuestion]);
  const accounts = await accountsWithGone(flags, io);
  if (folder !== undefined) await assertPlanFolder(folder, accounts, io);
  const code = await forAllAccounts('apply', accounts, flags, io, async (account, accountFlags, accountIo) =>
    folder === undefined
      ? apply(accountFlags, accountIo)
      : applyFile(existingPlanFile(folder, account, accountIo), accountFlags, accountIo),
  );
  if (flags.allowRemoved && code === exitCodes.done) await forgetGoneAccounts(flags, io);
  return code;
}

async function apply(flags: ApplyFlags, io: Io): Promise<ExitCode> {
  await using account = await openAccount(accountOptions(flags, io));
  return await askAndApply((sending) => account.apply(sending), applyQuestion, flags, io);
}

async function applyFile(name: string, flags: ApplyFlags, io: Io): Promise<ExitCode> {
  const planFile = await readPlanFile(name, io);
  await using account = await openAccount(accountOptions({ ...flags, planFile }, io));
  const question = planFile.intent === 'delete' ? destroyQuestion : applyQuestion;
  return await askAndApply((sending) => account.apply(sending), question, flags, io);
}

const noQuestion = {
  code: 'consent-needed',
  found: 'not applied: apply --all asks no question',
  fix: 'review `webdata plan --all PATTERN --output FOLDER`, then run `webdata apply --all PATTERN FOLDER --yes`',
};

const applyQuestion = 'Make these changes?';
export const destroyQuestion = 'Destroy these resources?';
