/** Where reports go: stdout in the format asked for, files (`--report`), and on GitHub Actions its annotations and step summary. */
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { formatOf } from '../report/formats.ts';
import type { PlanMode, Report } from '../report/report.ts';
import type { TextOptions } from '../report/style.ts';
import { version } from '../version.ts';
import { problemsBehind } from './explain.ts';
import type { ExitCode, Io } from './io.ts';
import type { PlanFlags } from './options.ts';
import { besideDeclaration } from './outputFile.ts';

/** What is kept says when it was made; stdout does not, so that the same plan is the same text. */
export async function publish(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  const stamped = { ...report, createdAt: new Date().toISOString() };
  for (const { format, file } of flags.report ?? []) await writeReport(await textOf(stamped, format), file, io);
  if (io.env.GITHUB_ACTIONS === 'true') await tellGitHub(stamped, io);
}

/** The same, and the report on stdout, last: whoever reads it to its end finds the files there. */
export async function publishAndPrint(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  await publish(report, flags, io);
  await print(report, flags, io);
}

export async function print(report: Report, flags: PlanFlags, io: Io): Promise<void> {
  io.stdout.write((await formatOf(flags.format))(report, textOptions(flags, io)));
}

/**
 * Runs a command whose reports are made even if there is nothing to report but why. No file is named that would overwrite the
 * declaration. @throws ProblemError, and whatever `action` throws
 */
export async function reporting(
  mode: PlanMode,
  flags: PlanFlags,
  io: Io,
  action: () => Promise<ExitCode>,
): Promise<ExitCode> {
  for (const { file } of flags.report ?? []) besideDeclaration(`--report ${file}`, file, flags.file, io);
  try {
    return await action();
  } catch (error) {
    const problems = problemsBehind(error, io.signal);
    const report: Report = { about: 'plan', mode, plan: { resources: [] }, problems, origin: '', version };
    // On a terminal, the text on stderr says it all.
    await (flags.format === 'text' ? publish(report, flags, io) : publishAndPrint(report, flags, io));
    throw error;
  }
}

export function textOptions({ color, full }: PlanFlags, { stdout, env }: Io): TextOptions {
  return { color: color && wantsColor(env, stdout.isTTY ?? false), width: stdout.columns, full };
}

/** https://no-color.org, and its counterpart. */
function wantsColor(env: Io['env'], isTTY: boolean): boolean {
  if (env.NO_COLOR) return false;
  return isTTY || Boolean(env.FORCE_COLOR);
}

async function textOf(report: Report, format: Parameters<typeof formatOf>[0]): Promise<string> {
  return (await formatOf(format))(report, { color: false });
}

async function writeReport(text: string, file: string, { cwd }: Io): Promise<void> {
  const target = resolve(cwd, file);
  await mkdir(dirname(target), { recursive: true });
  await writeFileAtomic(target, text);
}

/** The runner reads commands from stderr too, where they do not get between the lines of a report. */
async function tellGitHub(report: Report, { stderr, env }: Io): Promise<void> {
  stderr.write(await textOf(report, 'github'));
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${await textOf(report, 'markdown')}\n`);
}
