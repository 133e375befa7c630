/** The backend that an operation works with. An option overrides the environment, and the environment overrides the declaration. */

import { ProblemError } from '../base/diagnostics/problem.ts';
import { standardStream } from '../base/files/textFile.ts';
import { printableLine } from '../base/values/printable.ts';
import type { LockOptions, Memories } from './backend/backend.ts';
import { openFolderBackend } from './backend/folder/folderBackend.ts';
import { hasMachineFolder } from './backend/folder/machineFolder.ts';
import { machineMemories } from './backend/folder/machineLog.ts';
import { ciJobUrl, waitingForLock } from './backend/holder.ts';
import { openMemories } from './backend/open.ts';
import { passwordHostProblem } from './backend/store/passwordHost.ts';
import { journalFile } from './configuredDeclaration.ts';
import type { LocatedConnection } from './declaration/connection.ts';
import { isPiped } from './declaration/sources.ts';
import { AccountBackend } from './identity/accountBackend.ts';
import type { AddressOptions, DeclarationOptions, ProcessEnvironment, Surroundings } from './options.ts';

/** Opens the backend, and closes it when `action` has ended. */
export async function withBackend<T>(
  options: AddressOptions & Pick<DeclarationOptions, 'file'>,
  environment: ProcessEnvironment,
  config: LocatedConnection,
  action: (backend: AccountBackend) => Promise<T>,
): Promise<T> {
  const backend = await openAccountBackend(options, environment, config);
  try {
    return await action(backend);
  } finally {
    await backend.close();
  }
}

const defaultLockSeconds = 15;

/** Returns the options of the lock. A wait for another run, at most `lockTimeout` seconds, is announced. */
export function lockFor(
  command: string,
  { lockTimeout = defaultLockSeconds }: { lockTimeout?: number },
  { cwd, env, signal, warn }: Pick<Surroundings, 'cwd' | 'env' | 'signal' | 'warn'>,
): LockOptions {
  const timeoutMs = lockTimeout * 1000;
  return {
    timeoutMs,
    command: `webdata ${command}`,
    folder: cwd,
    job: ciJobUrl(env),
    onWait: (holder) => warn(printableLine(waitingForLock(holder, timeoutMs))),
    signal,
  };
}

/**
 * A declaration that is read from a pipe has no folder for the journal of what was sent. Standard input by `-` uses the current folder.
 * @throws ProblemError
 */
export function assertJournalFolder(
  { file = [], journal, backend }: AddressOptions & Pick<DeclarationOptions, 'file'>,
  environment: ProcessEnvironment,
  config: LocatedConnection,
): void {
  const [first = ''] = file;
  if (journal !== undefined || (givenBackend({ backend }, environment) ?? config.backend) !== undefined) return;
  if (first === standardStream || !isPiped(first, environment.cwd)) return;
  throw new ProblemError([
    {
      code: 'no-journal-folder',
      found: `the declaration ${first} is a pipe or a device, so the journal has no folder beside it`,
      fix: 'name the journal with --journal FILE or the backend with --backend ADDRESS, the same in every run',
    },
  ]);
}

/** Opens the backend of an account. The caller closes it. @throws ProblemError */
export async function openAccountBackend(
  options: AddressOptions & Pick<DeclarationOptions, 'file'>,
  environment: ProcessEnvironment,
  config: LocatedConnection,
): Promise<AccountBackend> {
  const { env, cwd } = environment;
  const given = givenBackend(options, environment);
  const address = options.journal === undefined ? (given ?? config.backend) : undefined;
  const machine = machineIfAny(env);
  const folder = folderMemories(options, environment);
  if (address === undefined) return AccountBackend.open({ memories: folder, machine }, config);
  if (given === undefined) assertDeclaredBackend(address, environment, config);
  const memories = await openMemories(address, { folder: given === undefined ? config.folder : cwd, env });
  return AccountBackend.open({ memories, machine, folder }, config);
}

/** Opens the backend of a front that has no folder of its own: the shared one, or else the log of this machine. @throws ProblemError */
export async function openStackBackend(
  config: LocatedConnection,
  { cwd, env }: ProcessEnvironment,
): Promise<AccountBackend> {
  const { backend: address } = config;
  if (address === undefined) return AccountBackend.open({ memories: machineMemories(env) }, config);
  const memories = await openMemories(address, { folder: cwd, env });
  return AccountBackend.open({ memories, machine: machineIfAny(env) }, config);
}

function machineIfAny(env: ProcessEnvironment['env']): Memories | undefined {
  return hasMachineFolder(env) ? machineMemories(env) : undefined;
}

/** Returns the folder beside the declaration, or the one of `--journal`. */
export function folderMemories(
  options: Pick<AddressOptions & DeclarationOptions, 'journal' | 'file'>,
  environment: ProcessEnvironment,
): Memories {
  const journal = journalFile(options, environment);
  return (account) => openFolderBackend({ journal, account, env: environment.env });
}

/** @throws ProblemError with the location of an address that the password must not be sent to */
function assertDeclaredBackend(address: string, { env }: ProcessEnvironment, { locate }: LocatedConnection): void {
  const problem = passwordHostProblem(address, env);
  if (problem !== undefined) throw new ProblemError([locate(problem, [])]);
}

/** Returns the address of the option or the environment. */
export function givenBackend(
  { backend }: AddressOptions,
  { env }: Pick<ProcessEnvironment, 'env'>,
): string | undefined {
  return backend ?? (env.WEBDATA_BACKEND || undefined);
}
