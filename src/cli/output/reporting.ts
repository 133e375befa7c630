/** Reports on stdout (`--format`), in files (`--report`), and on GitHub Actions as annotations and step summary. */

import { appendFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isInCi } from '../../base/values/inCi.ts';
import { environmentSecrets } from '../../client/environmentSecrets.ts';
import { hideValues } from '../../client/redact.ts';
import { explainedProblems, journalFile } from '../../engine/doors/declaration.ts';
import type { PlanMode } from '../../kinds/seam/callWords.ts';
import { type FormatName, loadAccountsFormat, loadFormat } from '../../report/formats.ts';
import type { AccountsReport } from '../../report/model/accounts.ts';
import { hideIn } from '../../report/model/hidden.ts';
import { withFiles } from '../../report/model/locations.ts';
import { type Report, unplanned } from '../../report/model/report.ts';
import type { PlanFlags } from '../options/coreCommands.ts';
import type { ExitCode, Io } from './io.ts';
import { assertNotOverwritten, declarations, type NamedFile, withStdoutFor, writeOutput } from './outputFile.ts';
import { textOptions } from './textOptions.ts';

/**
 * Writes the reports that are kept. Each report file contains its time; stdout does not, so that equal plans print equal text.
 */
async function publish(report: Report, flags: PlanFlags, io: Io): Promise<Problem[]> {
  const { takeReport, keepReport, env } = io;
  const isKept = flags.report !== undefined || [takeReport, keepReport].some((take) => take !== undefined);
  if (!isKept && env.GITHUB_ACTIONS !== 'true') return [];
  const { startedBy } = await import('../../engine/doors/run.ts');
  const by = await startedBy(io);
  const createdAt = new Date().toISOString();
  const stamped = withFiles(withoutJobSecrets({ ...report, createdAt, by }, io), (file) => nameInCheckout(file, io));
  if (io.takeReport) {
    io.takeReport(stamped, 'kept');
    return [];
  }
  return writeReports(async (format) => (await loadFormat(format))(stamped, { color: false }), flags, io);
}

/** Removes the secrets of a CI job: its reports become artifacts and comments, in which the CI masks nothing. */
function withoutJobSecrets<Shown extends Report | AccountsReport>(report: Shown, { env }: Io): Shown {
  const secrets = isInCi(env) ? environmentSecrets(env) : [];
  return secrets.length === 0 ? report : hideIn(report, hideValues(secrets));
}

type ReportText = (format: FormatName) => Promise<string>;

/** Tries every report and returns the problems of those that could not be written. */
async function writeReports(reportText: ReportText, flags: PlanFlags, io: Io): Promise<Problem[]> {
  const tasks = (flags.report ?? []).map(({ format, file }) => async () => {
    await writeOutput(`--report ${format}=${file}`, file, await reportText(format), io);
  });
  const { keepReport } = io;
  if (keepReport !== undefined) tasks.push(() => keepReport(reportText));
  if (io.env.GITHUB_ACTIONS === 'true') tasks.push(() => writeToGitHub(reportText, io));
  const failures: Problem[] = [];
  for (const task of tasks)
    await task().catch((error: unknown) => failures.push(...explainedProblems(error, io.signal)));
  return failures;
}

/** Writes the reports, but prints none. @throws ReportsFailed after all were tried */
export async function publishOnly(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const failures = await publish(report, flags, io);
  if (failures.length > 0) throw new ReportsFailed(failures);
}

/** Writes the reports of several accounts, then prints them. `kept` has the time and names of files in the checkout. `hide` removes secrets. @throws ReportsFailed after all were tried */
export async function publishAccounts(
  { kept, printed }: { kept: AccountsReport; printed: AccountsReport },
  hide: (text: string) => string,
  flags: PlanFlags,
  io: Io,
): Promise<void> {
  const createdAt = new Date().toISOString();
  const accounts = kept.accounts.map((each) => ({ ...each, file: nameInCheckout(each.file, io) }));
  const reportText = async (format: FormatName) =>
    hide((await loadAccountsFormat(format))(withoutJobSecrets({ ...kept, createdAt, accounts }, io), { color: false }));
  const failures = await writeReports(reportText, flags, io);
  const format = await loadAccountsFormat(flags.format);
  io.stdout.write(hide(format(withoutJobSecrets(printed, io), textOptions(flags, io))));
  if (failures.length > 0) throw new ReportsFailed(failures);
}

/** Writes the reports, then prints one: the files exist when stdout ends. @throws ReportsFailed after all were tried */
export async function publishAndPrint(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const failures = await publish(report, flags, io);
  await print(report, flags, io);
  if (failures.length > 0) throw new ReportsFailed(failures);
}

export async function print(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const shown = withoutJobSecrets(report, io);
  if (io.takeReport) io.takeReport(shown, 'printed');
  else io.stdout.write((await loadFormat(flags.format))(shown, textOptions(flags, io)));
}

/** Reports that could not be written. The other reports are written, and do not contain these problems. */
export class ReportsFailed extends ProblemError {}

interface ReportingFlags extends PlanFlags {
  output?: string;
  patch?: string;
}

/**
 * Runs a command and writes its reports even if it fails: they then hold the problems. No report may replace the declaration, the
 * journal or a `kept` file. An output named `-` has stdout to itself. @throws ProblemError, or the error of `action`
 */
export async function runWithReports(
  mode: PlanMode,
  flags: ReportingFlags,
  given: Io,
  action: (io: Io) => Promise<ExitCode>,
  kept: readonly NamedFile[] = [],
): Promise<ExitCode> {
  const outputs = (flags.report ?? []).map(({ format, file }) => ({ what: `--report ${format}=${file}`, file }));
  const io = withStdoutFor([...outputs.map(({ file }) => file), flags.output, flags.patch], given);
  const journal = { what: 'the journal', file: journalFile(flags, io) };
  assertNotOverwritten(outputs, [...declarations(flags.file), journal, ...kept], io);
  try {
    return await action(io);
  } catch (error) {
    if (error instanceof ReportsFailed) throw error;
    const problems = explainedProblems(error, io.signal);
    const report = unplanned(mode, problems);
    const failures = await publish(report, flags, io);
    // With text output, stderr has the problems.
    if (flags.format !== 'text') await print(report, flags, io);
    throw failures.length === 0 ? error : new ProblemError([...problems, ...failures]);
  }
}

/** Returns the path from the top of the checkout, as code hosts expect it. */
function nameInCheckout(file: string, { cwd, env }: Io): string {
  const top = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR;
  const path = top === undefined ? '' : relative(top, resolve(cwd, file));
  return path === '' || path.startsWith('..') ? file : path;
}

/** Writes workflow commands to stderr, which GitHub reads too, so that they do not mix with a report on stdout. */
async function writeToGitHub(reportText: ReportText, { stderr, env }: Io): Promise<void> {
  stderr.write(await reportText('github'));
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${await reportText('markdown')}\n`);
}
