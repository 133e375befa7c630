/** Where reports go: stdout in the format asked for, files (`--report`), and on GitHub Actions its annotations and step summary. */
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
import { problemsBehind } from '../execution/explain.ts';
import type { PlanFlags } from '../options/options.ts';
import type { ExitCode, Io } from './io.ts';
import { declarations, keepApart, type NamedFile, writeOutput } from './outputFile.ts';

/**
 * What is kept says when it was made; stdout does not, so that the same plan is the same text. One report that can't be written
 * keeps no other from being written. Returns why, where some are not.
 */
async function publish(report: Report, flags: PlanFlags, io: Io): Promise<Problem[]> {
  const stamped = withFiles({ ...report, createdAt: new Date().toISOString() }, (file) => nameInCheckout(file, io));
  const tasks = (flags.report ?? []).map(({ format, file }) => async () => {
    await writeOutput(`--report ${format}=${file}`, file, await textOf(stamped, format), io);
  });
  if (io.env.GITHUB_ACTIONS === 'true') tasks.push(() => tellGitHub(stamped, io));
  const failures: Problem[] = [];
  for (const task of tasks) await task().catch((error: unknown) => failures.push(...problemsBehind(error, io.signal)));
  return failures;
}

/** A report that is not printed. @throws ReportsFailed at the end, where some could not be written */
export async function publishOnly(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const failures = await publish(report, flags, io);
  if (failures.length > 0) throw new ReportsFailed(failures);
}

/** The same, and the report on stdout: whoever reads it to its end finds the files there. @throws ReportsFailed */
export async function publishAndPrint(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const failures = await publish(report, flags, io);
  await print(report, flags, io);
  if (failures.length > 0) throw new ReportsFailed(failures);
}

export async function print(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  io.stdout.write((await loadFormat(flags.format))(report, textOptions(flags, io)));
}

/** What was to be told is done, and could not be told everywhere. */
class ReportsFailed extends ProblemError {}

/**
 * Runs a command whose reports are made even if there is nothing to report but why. No file is named that would overwrite the
 * declaration, the journal or one that is `kept`. @throws ProblemError, and whatever `action` throws
 */
export async function reporting(
  mode: PlanMode,
  flags: PlanFlags,
  io: Io,
  action: () => Promise<ExitCode>,
  kept: readonly NamedFile[] = [],
): Promise<ExitCode> {
  const outputs = (flags.report ?? []).map(({ format, file }) => ({ what: `--report ${format}=${file}`, file }));
  const journal = { what: 'the journal', file: journalFile(flags, io) };
  keepApart(outputs, [...declarations(flags.file), journal, ...kept], io);
  try {
    return await action();
  } catch (error) {
    if (error instanceof ReportsFailed) throw error;
    const problems = problemsBehind(error, io.signal);
    const report: Report = { about: 'plan', mode, plan: { resources: [] }, problems, origin: '', version };
    const failures = await publish(report, flags, io);
    // Of text, stderr says it all.
    if (flags.format !== 'text') await print(report, flags, io);
    throw failures.length === 0 ? error : new ProblemError([...problems, ...failures]);
  }
}

export function textOptions({ color, full }: PlanFlags, { stdout, env }: Io): TextOptions {
  return { color: color !== false && wantsColor(env, stdout.isTTY ?? false), width: stdout.columns, full };
}

/** https://no-color.org, and its counterpart. */
function wantsColor(env: Io['env'], isTTY: boolean): boolean {
  if (env.NO_COLOR) return false;
  return isTTY || Boolean(env.FORCE_COLOR);
}

async function textOf(report: Report, format: Parameters<typeof loadFormat>[0]): Promise<string> {
  return (await loadFormat(format))(report, { color: false });
}

/** Forges look for files from the top of the checkout, wherever the command runs. */
function nameInCheckout(file: string, { cwd, env }: Io): string {
  const top = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR;
  const path = top === undefined ? '' : relative(top, resolve(cwd, file));
  return path === '' || path.startsWith('..') ? file : path;
}

/** The runner reads commands from stderr too, where they do not get between the lines of a report. */
async function tellGitHub(report: Report, { stderr, env }: Io): Promise<void> {
  stderr.write(await textOf(report, 'github'));
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${await textOf(report, 'markdown')}\n`);
}
