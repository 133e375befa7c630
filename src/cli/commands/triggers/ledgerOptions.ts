/** Options of the commands that open the ledger themselves, and its settings from flags and environment. */
import { dirname, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { makeFolder } from '../../../base/files/folders.ts';
import { parseAddress } from '../../../base/values/address.ts';
import { type Connection, connectionIfAny, knownService } from '../../../engine/doors/connection.ts';
import { encryptionKeys } from '../../../triggers/secrets/encryptionKeys.ts';
import {
  bindingForm,
  parseSecretBinding,
  type SecretBinding,
  secretBindingsIn,
} from '../../../triggers/secrets/secretBinding.ts';
import type { WorkerSettings } from '../../../triggers/workerSettings.ts';
import type { ConnectionFlags } from '../../options/options.ts';
import { collect, positiveNumber } from '../../options/values.ts';
import type { Io } from '../../output/io.ts';

export interface StoreFlags extends ConnectionFlags {
  store?: string;
  secretFor?: SecretBinding[];
  secretCommand?: string[];
  endpointHost?: string[];
  allowPrivateEndpoints?: boolean;
  keepFolder?: string;
  maxRunning?: number;
  maxRunningEach?: number;
}

export function withStoreAddress(command: Command): Command {
  return command.option(
    '--store <address>',
    'postgres:// URL or file of the ledger (default: WEBDATA_TRIGGERS_STORE, triggers.store of the declaration, .webdata/triggers.db)',
  );
}

export function withStore(command: Command): Command {
  return withStoreAddress(command)
    .option(
      '--secret-for <name=origin>',
      'destination that a secret may be sent to: NAME=https://host[:port], NAME=s3://bucket or NAME=sftp:*; NAME may end with *; repeatable (default: WEBDATA_TRIGGERS_SECRET_FOR, separated by spaces)',
      collectBindings,
    )
    .option(
      '--endpoint-host <host>',
      'host that endpoints may use, with its port unless it is the default one; repeatable (default: any)',
      collectHosts,
    )
    .addOption(
      new Option(
        '--secret-command <word>',
        'word of the command that prints a secret, to which its name is appended; repeat for each word',
      ).argParser(collect),
    )
    .option('--allow-private-endpoints', 'allow results and alerts to go to private addresses')
    .option(
      '--keep-folder <folder>',
      'folder that `keep` of schedules starts from (default: folder of the declaration)',
    )
    .option('--max-running <count>', 'limit on jobs at a time; further runs wait', positiveNumber)
    .option('--max-running-each <count>', 'limit on jobs at a time for each collector or dataset', positiveNumber);
}

/** Returns the address of the ledger: the one that is declared, or by default a file in the folder of the declaration. */
export function storeAddress({ store }: StoreFlags, config: Connection, { env, cwd }: Io): string {
  const address = store ?? (env.WEBDATA_TRIGGERS_STORE || undefined);
  if (address === undefined) return config.triggers.ledger?.store ?? join(config.folder, '.webdata', 'triggers.db');
  const parsed = parseAddress(address);
  return parsed.kind === 'path' ? resolve(cwd, parsed.path) : address;
}

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

/** Returns the settings of a worker, for a server and for a single round. @throws ProblemError */
export async function workerSettingsFrom(flags: StoreFlags, io: Io): Promise<WorkerSettings & { store: string }> {
  const { env } = io;
  const config = await connectionIfAny(flags, io);
  const store = storeAddress(flags, config, io);
  if (!store.includes('://')) await makeFolder(dirname(store), 0o700);
  return {
    store,
    keys: await keysFrom(io),
    secrets: {
      env,
      command: flags.secretCommand,
      bindings: flags.secretFor ?? secretBindingsIn(env.WEBDATA_TRIGGERS_SECRET_FOR ?? ''),
    },
    allowPrivate: flags.allowPrivateEndpoints ?? false,
    endpointHosts: flags.endpointHost,
    service: knownService(config),
    keeping: { folder: resolve(io.cwd, flags.keepFolder ?? config.folder), env },
    prices: config.prices,
    limits: { account: flags.maxRunning, target: flags.maxRunningEach },
  };
}

/** Reads the keys that encrypt literal secrets. @throws ProblemError */
export function keysFrom({ env, cwd: folder }: Io): Promise<string[]> {
  const { WEBDATA_TRIGGERS_KEY: keys, WEBDATA_TRIGGERS_KEY_FILE: keyFile } = env;
  return encryptionKeys({ keys, keyFile, folder });
}

export interface OwnerFlags {
  owner?: string;
}

export function withOwner(command: Command): Command {
  return command.option('--owner <name>', "owner of the schedule (default: the declaration's name)");
}

/** @throws ProblemError if neither --owner nor the declaration names an owner */
export function ownerFrom({ owner }: OwnerFlags, { name }: Pick<Connection, 'name'>): string {
  const found = owner ?? name;
  if (found !== undefined) return found;
  throw new ProblemError([
    {
      code: 'no-owner',
      found: 'the owner of the schedule is not known',
      allowed: '--owner NAME, or a declaration with a `name` at its top',
      fix: 'pass --owner NAME, or the declaration with -f FILE',
    },
  ]);
}
