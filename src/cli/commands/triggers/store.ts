/** What the commands share that work on the ledger themselves: where it is, and what it takes to send a trigger. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { shorten } from '../../../diagnostics/valueWords.ts';
import type { RunLimits } from '../../../triggers/ledger/claiming.ts';
import { parseSecretBinding, type SecretBinding } from '../../../triggers/secrets/secretBinding.ts';
import type { SecretSources } from '../../../triggers/worker/secretSources.ts';
import { type ConnectionFlags, collect, positiveNumber } from '../../options/options.ts';
import type { Io } from '../../output/io.ts';

export interface StoreFlags extends ConnectionFlags {
  store?: string;
  secretEnv?: string[];
  secretFor?: SecretBinding[];
  secretCommand?: string[];
  endpointHost?: string[];
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
      '--secret-for <name=origin>',
      'where a secret may be sent: NAME=https://host[:port], NAME=s3://bucket or NAME=sftp:*; NAME may end with *; again for more (default: WEBDATA_TRIGGERS_SECRET_FOR, with spaces between them)',
      collectBindings,
    )
    .option(
      '--secret-env <name>',
      'a variable that deliveries may refer to, * at its end for any; again for more (default: HOOK_*)',
      collect,
    )
    .option(
      '--endpoint-host <host>',
      'the only host that endpoints may name, with its port unless that is the usual one; again for more (default: any)',
      collectHosts,
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

/** @throws ProblemError for a binding in the environment that cannot be read */
export function secretSources(
  { secretEnv = ['HOOK_*'], secretFor, secretCommand }: StoreFlags,
  { env }: Io,
): SecretSources {
  const bindings = secretFor ?? bindingsIn(env.WEBDATA_TRIGGERS_SECRET_FOR ?? '');
  return { env, allowedEnv: secretEnv, command: secretCommand, bindings };
}

function bindingsIn(text: string): SecretBinding[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const binding = parseSecretBinding(word);
    if (binding === undefined) throw new ProblemError([{ ...wrongBinding, found: bindingFound(word) }]);
    return binding;
  });
}

const bindingFound = (word: string) => `WEBDATA_TRIGGERS_SECRET_FOR has \`${shorten(word)}\``;

const bindingForm = 'NAME=https://host[:port], NAME=s3://bucket or NAME=sftp:*';

const wrongBinding = {
  code: 'wrong-secret-binding',
  allowed: `${bindingForm}; several with spaces between them`,
  fix: 'write the origin without a path',
};

function collectBindings(text: string, bindings: readonly SecretBinding[] = []): SecretBinding[] {
  const binding = parseSecretBinding(text);
  if (binding === undefined) throw new InvalidArgumentError(`It must be ${bindingForm}, without a path.`);
  return [...bindings, binding];
}

function collectHosts(text: string, hosts: readonly string[] = []): string[] {
  const host = URL.parse(`https://${text}`)?.host;
  if (host === undefined || host !== text.toLowerCase())
    throw new InvalidArgumentError('It must be a host, such as hooks.example.com or hooks.example.com:8443.');
  return [...hosts, host];
}

export function limitsOf({ maxRunning, maxRunningEach }: StoreFlags): RunLimits {
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
