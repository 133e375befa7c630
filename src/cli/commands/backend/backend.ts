/** `webdata backend push` and `webdata backend adopt`: runs and baseline of another place or name. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import {
  AccountBackend,
  folderMemories,
  lockFor,
  type TakenOver,
  takeOverLocked,
  withBackend,
} from '../../../engine/doors/backend.ts';
import { configIfAny } from '../../../engine/doors/declaration.ts';
import { isOnAccount } from '../../../engine/doors/session.ts';
import { surroundingsOf } from '../../execution/commandContext.ts';
import { withProgress } from '../../execution/progress.ts';
import {
  type ContextFlags,
  withBackendOption,
  withConnection,
  withJournal,
  withLockTimeout,
} from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';

interface Flags extends Omit<ContextFlags, 'journal'> {
  from?: string;
  lockTimeout: number;
}

type AdoptFlags = ContextFlags & Pick<Flags, 'lockTimeout'>;

const adoptUsage = {
  'webdata backend adopt acme-eu': 'the runs of the name that `account` had before',
  'webdata backend adopt acme-eu --backend s3://acme-webdata/production':
    'the same, in a bucket that no declaration names',
};
const usage = {
  'webdata backend push --backend s3://acme-webdata/production':
    'the runs of .webdata, before the team uses the bucket',
  'webdata backend push --from runs/ci.jsonl': 'runs of another journal, to the backend that the declaration names',
};

export function addBackend(command: Command, { io, end }: Shell): void {
  const push = command.command('push').description('Copy runs and baseline from the folder to the shared backend');
  withLockTimeout(withBackendOption(withConnection(push)))
    .option('--from <journal>', 'journal to copy (default: .webdata/journal.jsonl beside the declaration)')
    .action(async (flags: Flags) => end(await pushFolder(flags, io)));
  addExamples(push, usage);
  const adopt = command.command('adopt').description('Take over runs and baseline of an earlier name of the account');
  withLockTimeout(withJournal(withConnection(adopt)))
    .argument('<name>', 'earlier name of the account, which means this account from then on')
    .action(async (name: string, flags: AdoptFlags) => end(await adoptName(name, flags, io)));
  addExamples(adopt, adoptUsage);
  addExamples(command, { ...usage, ...adoptUsage });
}

async function pushFolder({ from, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const config = await configIfAny(flags, io);
  const folder = await AccountBackend.open({ memories: folderMemories({ ...flags, journal: from }, io) }, config);
  return withBackend(flags, io, config, async (shared) => {
    if (!shared.isShared) throw new ProblemError([notShared]);
    const lock = lockFor('backend push', flags, surroundingsOf(flags, io));
    const push = () => takeOverLocked(folder, shared, lock, isOnAccount(shared));
    const pushed = await withProgress('copying the runs', io, push);
    io.stdout.write(`${resultOf(pushed, shared.address)}\n`);
    return exitCodes.done;
  });
}

async function adoptName(name: string, flags: AdoptFlags, io: Io): Promise<ExitCode> {
  return withBackend(flags, io, await configIfAny(flags, io), async (backend) => {
    const lock = lockFor('backend adopt', flags, surroundingsOf(flags, io));
    await withProgress('taking over the runs', io, () => backend.adopt(name, lock));
    const { account } = backend.identity;
    io.stdout.write(`${name} is now ${account}: its runs and its baseline are those of ${account}.\n`);
    return exitCodes.done;
  });
}

function resultOf({ runs, lines, others, baseline }: TakenOver, address: string): string {
  const copied =
    lines === 0 ? `${address} has all ${counted(runs, 'run')} already` : `Copied ${counted(runs, 'run')} to ${address}`;
  const texts = { written: ', and the baseline', same: '', kept: '; its own baseline was kept' };
  const left = others === 0 ? '' : ` Not copied: ${counted(others, 'run')} of other accounts.`;
  return `${copied}${baseline === undefined ? '' : texts[baseline]}.${left}`;
}

const notShared = {
  code: 'no-shared-backend',
  found: 'no shared backend is configured',
  allowed: 's3://BUCKET/PREFIX or postgres://USER@HOST:PORT/DATABASE',
  fix: 'set backend in the file or WEBDATA_BACKEND, or pass --backend',
};
