/** What the commands share that work on the ledger themselves: where it is, and what it takes to send a trigger. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ProblemError } from '../input/problem.ts';
import type { Limits } from '../triggers/ledger/claiming.ts';
import type { SecretSources } from '../triggers/worker/secretSources.ts';
import type { Io } from './io.ts';
import { type ConnectionFlags, collect, positiveNumber } from './options.ts';

export interface StoreFlags extends ConnectionFlags {
  store?: string;
  secretEnv?: string[];
  secretCommand?: string[];
  maxRunning?: number;
  maxRunningEach?: number;
}

export function withStoreAddress(command: Command): Command {
  return command.option(
    '--store <address>',
    'postgres://…, or a file (default: WEBDATA_TRIGGERS_STORE, else .webdata/triggers.db)',
  );
}

export function withStore(command: Command): Command {
  return withStoreAddress(command)
    .option(
      '--secret-env <name>',
      'a variable that deliveries may refer to, * at its end for any; again for more (default: HOOK_*)',
      collect,
    )
    .addOption(
      new Option(
        '--secret-command <word>',
        'what prints the secret whose name it is given last; again for each word',
      ).argParser(collect),
    )
    .option('--max-running <count>', 'how many runs may be under way at once; the rest waits in line', positiveNumber)
    .option('--max-running-each <count>', 'how many of one collector or dataset', positiveNumber);
}

/** The folder of the declaration holds the store, unless another is named. */
export function storeAddress({ store, file = ['webdata.yaml'] }: StoreFlags, { env, cwd }: Io): string {
  const address = store ?? env.WEBDATA_TRIGGERS_STORE ?? join(dirname(file[0] ?? '.'), '.webdata', 'triggers.db');
  return address.includes('://') ? address : resolve(cwd, address);
}

export function secretSources({ secretEnv = ['HOOK_*'], secretCommand }: StoreFlags, { env }: Io): SecretSources {
  return { env, allowedEnv: secretEnv, command: secretCommand };
}

export function limitsOf({ maxRunning, maxRunningEach }: StoreFlags): Limits {
  return { account: maxRunning, target: maxRunningEach };
}

/** WEBDATA_TRIGGERS_KEY, or the file that WEBDATA_TRIGGERS_KEY_FILE names: keys, by commas or lines; the first one encrypts. */
export async function encryptionKeys({ env, cwd }: Io): Promise<string[]> {
  const file = env.WEBDATA_TRIGGERS_KEY_FILE;
  const text = env.WEBDATA_TRIGGERS_KEY ?? (file === undefined ? '' : await textOf(file, cwd));
  return text.split(/[\s,]+/).filter((key) => key !== '');
}

async function textOf(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ProblemError([
      {
        code: 'unreadable-file',
        found: `WEBDATA_TRIGGERS_KEY_FILE is ${file}, which ${code === 'ENOENT' ? 'is not there' : `can't be read: ${code}`}`,
        allowed: 'a file with the key, 32 bytes in base64',
        fix: 'name one, or give the key itself in WEBDATA_TRIGGERS_KEY',
      },
    ]);
  }
}
