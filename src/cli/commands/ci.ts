/** `webdata ci plan|apply|drift`: runs the command in CI and reports it as a comment or an issue. */
import { Command, CommanderError, Option } from 'commander';
import { printableLines } from '../../base/values/printable.ts';
import { type CiOptions, runInCi } from '../../ci/run.ts';
import { type CiCommand, type Runner, type RunnerName, runnerNames } from '../../ci/runner.ts';
import type { WebdataCommand, WebdataResult } from '../../ci/runners/webdata.ts';
import { errorText } from '../execution/errorText.ts';
import { assertNoEmptyValues } from '../options/emptyValues.ts';
import { addExamples, wholeNumber } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { type ApplyCommandFlags, runApply, withApplyOptions } from './apply.ts';
import { type DriftCommandFlags, type DriftExtension, type DriftFlags, runDrift, withDriftOptions } from './drift.ts';
import { type PlanCommandFlags, runPlan, withPlanOptions } from './plan.ts';

interface Flags extends Omit<CiOptions, 'runner'> {
  front: RunnerName;
}

const summaries: Record<CiCommand, string> = {
  plan: 'Plan, and keep one comment on the pull or merge request up to date',
  apply: 'Apply without a prompt',
  drift: 'Check for drift, and open, update or close the drift issue; exits 2 on drift',
};

const usages: Record<CiCommand, Record<string, string>> = {
  plan: {
    'webdata ci plan': 'on a pull or merge request',
    'webdata ci plan --print': 'the comment on the terminal, without a code host',
    'webdata ci plan --policy ./policy.sh': 'denied if the script exits with another code than 0',
    'webdata ci plan --require-comment -- -f prod.yaml': 'another file; fails if the comment cannot be written',
  },
  apply: {
    'webdata ci apply': 'on the main branch',
    'webdata ci apply -- --select ZoneIpAllocation/static': 'one resource',
  },
  drift: {
    'webdata ci drift': 'on a schedule',
    'webdata ci drift -- --strict': 'unmanaged IPs count as drift',
  },
};

const proposeUsage = {
  'webdata ci drift --propose': 'a pull or merge request with the edit that accepts the drift, too',
};

/** The extension of `webdata drift` works here, too, and makes the edit of `--propose`. */
export const addCiWith =
  (extension?: DriftExtension) =>
  (command: Command, shell: Shell): void => {
    addExamples(command, { ...usages.plan, ...usages.drift });
    for (const name of ['plan', 'apply', 'drift'] as const) {
      const subcommand = command.command(name).description(summaries[name]);
      if (name === 'plan') {
        subcommand
          .option(
            '--request <number>',
            'pull or merge request to comment on, if the event does not name one',
            wholeNumber,
          )
          .addOption(new Option('--require-comment', 'fail if the comment cannot be written').conflicts('print'))
          .option('--print [file]', 'print the comment, or write it to a file, and send nothing to a code host')
          .option(
            '--policy <command>',
            'shell command that reads the JSON plan and denies it with an exit code other than 0',
          );
      }
      if (name === 'drift' && extension !== undefined) {
        subcommand.option(
          '--propose',
          'open, update or close a pull or merge request that changes the declaration to the live state',
        );
      }
      subcommand
        .addOption(new Option('--front <front>', 'program to run').choices(runnerNames).default('webdata'))
        .option(
          '--key <name>',
          'name that distinguishes several plans in one repository (default: files, --select, --zone, --strict and --pending; for Pulumi, folder, stack and targets)',
        )
        .argument('[args...]', 'options for the program, after `--`')
        .action((args: string[], flags: Flags) => act(name, args, flags));
      addExamples(
        subcommand,
        name === 'drift' && extension !== undefined ? { ...usages.drift, ...proposeUsage } : usages[name],
      );
    }

    async function act(name: CiCommand, args: string[], { front, ...options }: Flags): Promise<void> {
      shell.end(await runInCi(name, { ...options, runner: await runnerOf(front, name, args, extension) }, shell.io));
    }
  };

async function runnerOf(
  front: RunnerName,
  name: CiCommand,
  args: readonly string[],
  extension: DriftExtension | undefined,
): Promise<Runner> {
  if (front === 'pulumi') return (await import('../../ci/runners/pulumi.ts')).pulumiRunner(args);
  const { webdataRunner } = await import('../../ci/runners/webdata.ts');
  return webdataRunner(webdataCommand(name, args, extension));
}

const withOptions = { plan: withPlanOptions, apply: withApplyOptions, drift: withDriftOptions } satisfies Record<
  CiCommand,
  (command: Command, extension?: DriftExtension) => Command
>;

/** Parses the arguments as the command itself does. An error of theirs is one of the run, so that it is in the comment. */
function webdataCommand(
  name: CiCommand,
  args: readonly string[],
  extension: DriftExtension | undefined,
): WebdataCommand {
  let printed = '';
  const command = withOptions[name](new Command(name), extension)
    .exitOverride()
    .showHelpAfterError(`(see webdata ${name} --help)`)
    .configureOutput({
      writeOut: () => undefined,
      writeErr: (text) => {
        printed += printableLines(text);
      },
    })
    .action(() => undefined);
  let refusal: unknown;
  try {
    command.parse(args, { from: 'user' });
    assertNoEmptyValues(command);
  } catch (error) {
    refusal = error;
  }
  return {
    words: ['webdata', name, ...args],
    flags: command.opts(),
    async run(job, takeEdit) {
      let report: WebdataResult['report'];
      const io: Io = {
        ...job,
        async keepReport(textIn) {
          const [text, json, markdown] = await Promise.all([textIn('text'), textIn('json'), textIn('markdown')]);
          report = { text, json, markdown };
        },
      };
      try {
        if (refusal !== undefined) throw refusal;
        return { code: await runCommand(name, command, { takeEdit, extension }, io), report };
      } catch (error) {
        if (error instanceof CommanderError) {
          io.stderr.write(printed);
          return { code: error.exitCode === 0 ? exitCodes.done : exitCodes.error, report };
        }
        io.stderr.write(errorText(error, io));
        return { code: exitCodes.error, report };
      }
    },
  };
}

function runCommand(
  name: CiCommand,
  command: Command,
  { takeEdit, extension }: Pick<DriftFlags, 'takeEdit'> & { extension: DriftExtension | undefined },
  io: Io,
): Promise<ExitCode> {
  if (name === 'plan') return runPlan({ ...command.opts<PlanCommandFlags>(), detailedExitcode: true }, io);
  if (name === 'apply')
    return runApply(command.processedArgs[0], { ...command.opts<ApplyCommandFlags>(), yes: true }, io);
  return runDrift({ ...command.opts<DriftCommandFlags>(), ...(takeEdit && { takeEdit }) }, io, extension);
}
