/** `webdata ci plan|apply|drift`: the command in CI, told in a pull request or an issue. */
import { type Command, Option } from 'commander';
import { type CiCommand, type Front, type FrontName, frontNames } from '../ci/front.ts';
import { runInCi } from '../ci/tell.ts';
import { examples } from './examples.ts';
import type { Shell } from './io.ts';

interface Flags {
  front: FrontName;
  key?: string;
  requireComment?: boolean;
}

const summaries: Record<CiCommand, string> = {
  plan: 'plan, and keep one comment on the pull or merge request up to date',
  apply: 'apply without asking',
  drift: 'look for drift, and open, update or close the issue about it; exit 2 on drift',
};

const usages: Record<CiCommand, Record<string, string>> = {
  plan: {
    'webdata ci plan': 'on a pull or merge request',
    'webdata ci plan --require-comment -- -f prod.yaml': 'of another file; fails where it could not be told',
  },
  apply: {
    'webdata ci apply': 'on the main branch',
    'webdata ci apply -- --select ZoneIpAllocation/static': 'one resource',
  },
  drift: {
    'webdata ci drift': 'on a schedule',
    'webdata ci drift -- --strict': 'unmanaged IPs are drift too',
  },
};

export function addCi(command: Command, shell: Shell): void {
  command.addHelpText('after', examples({ ...usages.plan, ...usages.drift }));
  for (const name of ['plan', 'apply', 'drift'] as const) {
    const subcommand = command.command(name).description(summaries[name]);
    if (name === 'plan') subcommand.option('--require-comment', 'fail where the comment could not be written');
    subcommand
      .addOption(new Option('--front <front>', 'what is run').choices(frontNames).default('webdata'))
      .option(
        '--key <name>',
        'tells several in one repository apart (default: files and --select; for Pulumi folder, stack and targets)',
      )
      .argument('[args...]', 'after `--`: options for the command that is run')
      .addHelpText('after', examples(usages[name]))
      .action((args: string[], { front, key, requireComment }: Flags) =>
        act(name, args, { front, key, requireComment }),
      );
  }

  async function act(name: CiCommand, args: string[], { front, ...options }: Flags): Promise<void> {
    shell.end(await runInCi(name, { ...options, args, front: await frontOf(front, shell.run) }, shell.io));
  }
}

async function frontOf(name: FrontName, run: Shell['run']): Promise<Front> {
  if (name === 'pulumi') return (await import('../ci/pulumiFront.ts')).pulumiFront;
  const { webdataFront } = await import('../ci/webdataFront.ts');
  return webdataFront(run);
}
