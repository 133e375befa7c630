/** Reports on stdout (`--format`), in files (`--report`), and on GitHub Actions as annotations and step summary. */
import { appendFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import type { PlanMode } from '../../kinds/callType.ts';
import { loadFormat } from '../../report/formats.ts';
import { withFiles } from '../../report/model/locations.ts';
import type { Report } from '../../report/model/report.ts';
import type { TextOptions } from '../../report/text/style.ts';
import { version } from '../../version.ts';
import { journalFile } from '../execution/declaration.ts';
import { problemsFrom } from '../execution/explain.ts';
import type { PlanFlags } from '../options/options.ts';
import type { ExitCode, Io } from './io.ts';
import { assertNotOverwritten, declarations, type NamedFile, writeOutput } from './outputFile.ts';

/**
 * Writes the reports that are kept. Each report file contains its time; stdout does not, so that equal plans print equal text. Tries every report and
 * returns the problems of those that could not be written.
 */
async function publish(report: Report, flags: PlanFlags, io: Io): Promise<Problem[]> {
  const stamped = withFiles({ ...report, createdAt: new Date().toISOString() }, (file) => nameInCheckout(file, io));
  const tasks = (flags.report ?? []).map(({ format, file }) => async () => {
    await writeOutput(`--report ${format}=${file}`, file, await textOf(stamped, format), io);
  });
  if (io.env.GITHUB_ACTIONS === 'true') tasks.push(() => writeToGitHub(stamped, io));
  const failures: Problem[] = [];
  for (const task of tasks) await task().catch((error: unknown) => failures.push(...problemsFrom(error, io.signal)));
  return failures;
}

/** Writes the reports, but prints none. @throws ReportsFailed after all were tried */
export async function publishOnly(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const failures = await publish(report, flags, io);
  if (failures.length > 0) throw new ReportsFailed(failures);
}

/** Writes the reports, then prints one: the files exist when stdout ends. @throws ReportsFailed after all were tried */
export async function publishAndPrint(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const failures = await publish(report, flags, io);
  await print(report, flags, io);
  if (failures.length > 0) throw new ReportsFailed(failures);
}

export async function print(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  io.stdout.write((await loadFormat(flags.format))(report, textOptions(flags, io)));
}

/** The command did its work, but some reports could not be written. */
class ReportsFailed extends ProblemError {}

/**
 * Runs a command and writes its reports even if it fails: they then hold the problems. No report may replace the declaration, the
 * journal or a `kept` file. @throws ProblemError, or the error of `action`
 */
export async function runWithReports(
  mode: PlanMode,
  flags: PlanFlags,
  io: Io,
  action: () => Promise<ExitCode>,
  kept: readonly NamedFile[] = [],
): Promise<ExitCode> {
  const outputs = (flags.report ?? []).map(({ format, file }) => ({ what: `--report ${format}=${file}`, file }));
  const journal = { what: 'the journal', file: journalFile(flags, io) };
  assertNotOverwritten(outputs, [...declarations(flags.file), journal, ...kept], io);
  try {
    return await action();
  } catch (error) {
    if (error instanceof ReportsFailed) throw error;
    const problems = problemsFrom(error, io.signal);
    const report: Report = { about: 'plan', mode, plan: { resources: [] }, problems, origin: '', version };
    const failures = await publish(report, flags, io);
    // With text output, stderr has the problems.
    if (flags.format !== 'text') await print(report, flags, io);
    throw failures.length === 0 ? error : new ProblemError([...problems, ...failures]);
  }
}

export function textOptions({ color, full }: Pick<PlanFlags, 'color' | 'full'>, { stdout, env }: Io): TextOptions {
  // Follows https://no-color.org and its counterpart FORCE_COLOR.
  const isColored = color !== false && !env.NO_COLOR && (stdout.isTTY || Boolean(env.FORCE_COLOR));
  return { color: isColored, width: stdout.columns, full };
}

async function textOf(report: Report, format: Parameters<typeof loadFormat>[0]): Promise<string> {
  return (await loadFormat(format))(report, { color: false });
}

/** Returns the path from the top of the checkout, as code hosts expect it. */
function nameInCheckout(file: string, { cwd, env }: Io): string {
  const top = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR;
  const path = top === undefined ? '' : relative(top, resolve(cwd, file));
  return path === '' || path.startsWith('..') ? file : path;
}

/** Writes workflow commands to stderr, which GitHub reads too, so that they do not mix with a report on stdout. */
async function writeToGitHub(report: Report, { stderr, env }: Io): Promise<void> {
  stderr.write(await textOf(report, 'github'));
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${await textOf(report, 'markdown')}\n`);
}
