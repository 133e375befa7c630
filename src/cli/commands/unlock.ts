/** `webdata unlock`. */
import type { Command } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { printableLine } from '../../base/values/printable.ts';
import { type Backend, ciJobUrl, describeHolder, withBackend } from '../../engine/doors/backend.ts';
import { configIfAny } from '../../engine/doors/declaration.ts';
import { confirmPreview } from '../execution/consent.ts';
import { type ContextFlags, withConnection, withJournal } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';

interface Flags extends ContextFlags {
  yes?: boolean;
}

export function addUnlock(command: Command, { io, end }: Shell): void {
  withJournal(withConnection(command))
    .option('-y, --yes', 'skip the confirmation prompt')
    .action(async (flags: Flags) => end(await unlock(flags, io)));
  addExamples(command, {
    'webdata unlock': 'show who holds the lock of the account, and ask',
    'webdata unlock --yes': 'from a script',
  });
}

async function unlock(flags: Flags, io: Io): Promise<ExitCode> {
  return withBackend(flags, io, await configIfAny(flags, io), async (backend) => {
    const found = await findHolder(backend);
    if (found === undefined) {
      io.stdout.write('The lock is free.\n');
      return exitCodes.done;
    }
    const preview = `${printableLine(found)}A holder that still runs sends no further call once it notices.\n`;
    if (!(await confirmPreview(preview, 'Take the lock away?', flags.yes ?? false, io))) {
      return exitCodes.error;
    }
    await backend.breakLock({ timeoutMs: 0, command: 'webdata unlock', folder: io.cwd, job: ciJobUrl(io.env) });
    io.stdout.write('The lock is free.\n');
    return exitCodes.done;
  });
}

/** Returns a sentence about the holder, or about a lock that is damaged. */
async function findHolder(backend: Backend): Promise<string | undefined> {
  try {
    const holder = await backend.lockHolder();
    return holder && `${describeHolder(holder)}.`;
  } catch (error) {
    const [problem] = error instanceof ProblemError ? error.problems : [];
    if (problem?.code === 'damaged-backend') return `${problem.found}.`;
    throw error;
  }
}
