/** Options that several commands share, declared once. Those of plans and reports are in `coreCommands.ts`. */
import { type Command, Option } from 'commander';
import type { ProxiedRequest } from '../../client/areas/proxy/request.ts';
import type { DeclarationOptions, SetupOptions } from '../../engine/doors/connection.ts';
import { collect, positiveNumber, seconds, wholeNumber } from './values.ts';

export interface ConnectionFlags extends DeclarationOptions, Pick<SetupOptions, 'timeout' | 'retries'> {
  logHttp?: boolean;
}

/** The flags that a command context is opened with. */
export interface ContextFlags extends ConnectionFlags, SetupOptions {}

export interface ConsentFlags {
  yes?: boolean;
  lockTimeout: number;
}

export type ExitLocationFlags = Pick<ProxiedRequest, 'country' | 'city' | 'dns' | 'session' | 'direct'>;

export function withFile(command: Command): Command {
  return command.option(
    '-f, --file <file>',
    'declaration file or folder (default: webdata.yaml); repeat for overlays, which are merged by key',
    collect,
  );
}

/** Adds the options of commands that read the declaration. */
export function withDeclarationFiles(command: Command): Command {
  return withFile(command).option(
    '--allow-env <name>',
    'variable, besides WEBDATA_*, that URLs in the declaration may use; may end with *; repeatable (default: WEBDATA_ALLOW_ENV)',
    collect,
  );
}

/** Adds the options of requests to the service and the manager, besides those for the declaration. */
export function withConnection(command: Command): Command {
  return withDeclarationFiles(command)
    .option('--api-url <url>', 'service URL; overrides service.url and WEBDATA_API_URL')
    .option('--manager-url <url>', 'proxy manager URL; overrides manager.url and WEBDATA_MANAGER_URL')
    .option(
      '--timeout <seconds>',
      'longest time to wait for an answer (default: 30), and for a Retry-After (default: 60)',
      seconds,
    )
    .option('--retries <count>', 'number of times that a failed read is repeated (default: 3)', wholeNumber)
    .option('--log-http', 'log every request and answer to stderr, without secrets');
}

/** Adds the options for the location that a proxied request leaves from, as every type of zone has them. */
export function withExitLocation(command: Command): Command {
  return command
    .option('--country <code>', 'country of the exit')
    .option('--city <city>', 'city of the exit; needs --country')
    .addOption(new Option('--dns <resolver>', 'resolver of host names').choices(['local', 'remote']))
    .option('--session <label>', 'session; requests with the same label leave through the same peer')
    .option('--direct', 'use the super proxy without a peer');
}

export interface AllFlags {
  all?: string[];
  parallelAccounts: number;
}

/** Adds the options of commands that can handle a file per account. */
export function withAll<Flags extends Command>(command: Flags): Flags {
  return command
    .option(
      '--all <pattern>',
      "every account: one declaration file each, such as 'accounts/*.yaml'; repeatable; -f names files that all of them share",
      collect,
    )
    .option('--parallel-accounts <count>', 'number of accounts handled at a time', positiveNumber, 4);
}

export function parallelismOption(): Option {
  const about = 'number of independent resources (default: 10) and of independent calls (default: 4) handled at a time';
  return new Option('--parallelism <count>', about).argParser(positiveNumber);
}

/** Adds the options that relax the guards of the declaration, which an undo respects too. */
export function withGuardOptions(command: Command): Command {
  return command
    .option('--max-moves <count>', 'limit on moved IPs for this run; can only raise maxMoves', wholeNumber)
    .option('--allow-self-lockout', 'allow removing your own address from wwwWhitelistIps');
}

export function withJournal(command: Command): Command {
  return withBackendOption(command).option(
    '--journal <file>',
    'journal of runs in a folder (default: .webdata/journal.jsonl beside the declaration)',
  );
}

export function withBackendOption(command: Command): Command {
  const backend = new Option(
    '--backend <address>',
    'backend for the lock, the runs and the baseline: a folder, s3://BUCKET/PREFIX or postgres://…; overrides WEBDATA_BACKEND and backend',
  );
  return command.addOption(backend.conflicts('journal'));
}

export function withConsent(command: Command): Command {
  return withLockTimeout(command.option('-y, --yes', 'skip the confirmation prompt'));
}

export function withLockTimeout(command: Command): Command {
  return command.option('--lock-timeout <seconds>', 'longest time to wait for another run to end', seconds, 15);
}
