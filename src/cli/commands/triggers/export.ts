/** `webdata triggers export`: what makes another scheduler tick, from the declaration. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { printableLines } from '../../../report/model/printable.ts';
import { noOwner } from '../../../sync/config/config.ts';
import { exportTicks, type TargetName, targetNames } from '../../../triggers/export/exportTicks.ts';
import { type DeclaredScheduleSpec, timingOf } from '../../../triggers/spec/scheduleSpec.ts';
import { configFrom } from '../../execution/declaration.ts';
import { examples } from '../../options/examples.ts';
import { withDeclarationFiles } from '../../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { newFile, writeOutput } from '../../output/outputFile.ts';

interface Flags {
  file?: string[];
  to: TargetName;
  out: string;
  force?: boolean;
  image?: string;
  environmentFile?: string;
}

export function addTriggersExport(command: Command, { io, end }: Shell): void {
  withDeclarationFiles(command.description('writes what makes another scheduler tick'))
    .addOption(new Option('--to <scheduler>', 'which one').choices(targetNames).makeOptionMandatory())
    .option('--out <folder>', 'where the files go', '.')
    .option('--force', 'writes over files that are there')
    .option('--image <name>', 'of Kubernetes: the image that has `webdata`')
    .option('--environment-file <file>', 'of crontab and systemd: what the ticks take from the environment')
    .addHelpText(
      'after',
      examples({
        'webdata triggers export --to kubernetes --out manifests': 'a CronJob for each schedule',
        'webdata triggers export --to systemd --out units': 'a timer for each schedule',
      }),
    )
    .action(async (flags: Flags) => end(await exportAll(flags, io)));
}

async function exportAll(
  { to, out, force = false, image, environmentFile, ...flags }: Flags,
  io: Io,
): Promise<ExitCode> {
  const { name: owner, declared, locate } = await configFrom(flags, io);
  const specs = declared.filter(({ collection }) => collection === 'collectorSchedules');
  if (owner === undefined) throw new ProblemError([noOwner]);
  const schedules = specs.map(({ name, spec }) => {
    const { paused, ...rest } = spec as DeclaredScheduleSpec;
    return { owner, name, paused, timing: timingOf(rest) };
  });
  const options = { ...(image !== undefined && { image }), ...(environmentFile !== undefined && { environmentFile }) };
  const files = located(() => exportTicks(schedules, to, options), locate);
  for (const { file } of files) newFile(`${out}/${file}`, `${out}/${file}`, force, io);
  for (const { file, text } of files) {
    await writeOutput(`${out}/${file}`, `${out}/${file}`, text, io);
    io.stdout.write(printableLines(`${out}/${file}\n`));
  }
  if (files.length === 0) io.stderr.write('No schedule is declared.\n');
  return exitCodes.done;
}

/** With the places of the declaration. */
function located<T>(
  action: () => T,
  locate: (
    problem: ProblemError['problems'][number],
    prefix: readonly PropertyKey[],
  ) => ProblemError['problems'][number],
): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(error.problems.map((problem) => locate(problem, [])));
  }
}
