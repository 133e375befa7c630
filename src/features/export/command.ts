/** `webdata triggers export --to SCHEDULER`. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { printableLine } from '../../base/values/printable.ts';
import { withDeclarationFiles } from '../../cli/options/options.ts';
import { addExamples } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { isStdout, newFilePath, writeOutput } from '../../cli/output/outputFile.ts';
import { configFrom, withoutLists } from '../../engine/configuredDeclaration.ts';
import { type Config, noOwner } from '../../engine/declaration/config.ts';
import { type DeclaredScheduleSpec, timingOf } from '../../triggers/declared/scheduleSpec.ts';
import { exportTicks, type TargetName, targetNames } from './exportTicks.ts';
import type { ExportedFile } from './target.ts';

interface Flags {
  file?: string[];
  to: TargetName;
  output: string;
  force?: boolean;
  image?: string;
  environmentFile?: string;
}

const usage = {
  'webdata triggers export --to kubernetes --output manifests': 'a CronJob per schedule',
  'webdata triggers export --to systemd --output units': 'a timer per schedule',
};

export function addExport(command: Command, { io, end }: Shell): void {
  const described = command.description('Export schedules for Kubernetes, crontab, systemd or GitHub Actions');
  withDeclarationFiles(described)
    .addOption(new Option('--to <scheduler>', 'scheduler').choices(targetNames).makeOptionMandatory())
    .option('--output <folder>', 'output folder; - for stdout', '.')
    .option('--force', 'overwrite existing files')
    .option('--image <name>', 'for Kubernetes: image that contains `webdata`')
    .option(
      '--environment-file <file>',
      'for crontab and systemd: absolute path of the file with the variables of `webdata triggers fire-tick`',
    )
    .action(async (flags: Flags) => end(await exportAll(flags, io)));
  addExamples(command, usage);
}

async function exportAll(
  { to, output, force = false, image, environmentFile, ...flags }: Flags,
  io: Io,
): Promise<ExitCode> {
  const { name: owner, declared, locate } = await configFrom(flags, io, withoutLists);
  const specs = declared.filter(({ collection }) => collection === 'collectorSchedules');
  if (owner === undefined) throw new ProblemError([noOwner]);
  const schedules = specs.map(({ name, spec }) => {
    const { paused, ...rest } = spec as DeclaredScheduleSpec;
    return { owner, name, paused, timing: timingOf(rest) };
  });
  const files = located(() => exportTicks(schedules, to, { image, environmentFile }), locate);
  if (isStdout(output)) io.stdout.write(oneText(files));
  else await writeFiles(files, output, force, io);
  if (files.length === 0) io.stderr.write('No schedule is declared.\n');
  return exitCodes.done;
}

/** Returns the files as one text. Units of systemd, which are several, follow their names as comments. */
function oneText(files: readonly ExportedFile[]): string {
  return files.map(({ file, text }) => (files.length === 1 ? text : `# ${file}\n${text}`)).join('');
}

async function writeFiles(files: readonly ExportedFile[], output: string, force: boolean, io: Io): Promise<void> {
  for (const { file } of files) await newFilePath(`${output}/${file}`, `${output}/${file}`, force, io);
  for (const { file, text } of files) {
    await writeOutput(`${output}/${file}`, `${output}/${file}`, text, io);
    io.stdout.write(printableLine(`${output}/${file}`));
  }
}

/** Adds the location in the declaration to problems. */
function located<T>(action: () => T, locate: Config['locate']): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(error.problems.map((problem) => locate(problem, [])));
  }
}
