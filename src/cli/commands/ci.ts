/** `webdata ci plan|apply|drift`: runs the command in CI and reports it as a comment or an issue. */
import { type Command, Option } from 'commander';
import { runInCi } from '../../ci/run.ts';
import { type CiCommand, type Runner, type RunnerName, runnerNames } from '../../ci/runner.ts';
import { addExamples } from '../options/values.ts';
import type { Shell } from '../output/io.ts';

interface Flags {
  front: RunnerName;
  key?: string;
  requireComment?: boolean;
  policy?: string;
  propose?: boolean;
}

const summaries: Record<CiCommand, string> = {
  plan: 'Plan, and keep one comment on the pull or merge request up to date',
  apply: 'Apply without a prompt',
  drift: 'Check for drift, and open, update or close the drift issue; exits 2 on drift',
};

const usages: Record<CiCommand, Record<string, string>> = {
  plan: {
    'webdata ci plan': 'on a pull or merge request',
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
    'webdata ci drift --propose': 'a pull or merge request with the edit that accepts the drift, too',
  },
};

export function addCi(command: Command, shell: Shell): void {
  addExamples(command, { ...usages.plan, ...usages.drift });
  for (const name of ['plan', 'apply', 'drift'] as const) {
    const subcommand = command.command(name).description(summaries[name]);
    if (name === 'plan') {
      subcommand
        .option('--require-comment', 'fail if the comment cannot be written')
        .option(
          '--policy <command>',
          'shell command that reads the JSON plan and denies it with an exit code other than 0',
        );
    }
    if (name === 'drift') {
      subcommand.option(
        '--propose',
        'open, update or close a pull or merge request that changes the declaration to the live state',
      );
    }
    subcommand
      .addOption(new Option('--front <front>', 'program to run').choices(runnerNames).default('webdata'))
      .option(
        '--key <name>',
        'name that distinguishes several plans in one repository (default: files and --select; for Pulumi, folder, stack and targets)',
      )
      .argument('[args...]', 'options for the program, after `--`')
      .action((args: string[], flags: Flags) => act(name, args, flags));
    addExamples(subcommand, usages[name]);
  }

  async function act(name: CiCommand, args: string[], { front, ...options }: Flags): Promise<void> {
    shell.end(await runInCi(name, { ...options, args, runner: await runnerOf(front, shell.run) }, shell.io));
  }
}

async function runnerOf(name: RunnerName, run: Shell['run']): Promise<Runner> {
  if (name === 'pulumi') return (await import('../../ci/runners/pulumi.ts')).pulumiRunner;
  const { webdataRunner } = await import('../../ci/runners/webdata.ts');
  return webdataRunner(run);
}
