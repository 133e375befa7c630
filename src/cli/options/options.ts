/** Options that several commands share, declared once. */
import { isIPv4 } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../diagnostics/problem.ts';
import type { DeclarationOptions, PlanningOptions, SetupOptions } from '../../operations/options.ts';
import { type FormatName, formatNames } from '../../report/formats.ts';
import type { ProxiedRequest } from '../../service/areas/proxy/request.ts';
import type { Io } from '../output/io.ts';

export interface ConnectionFlags extends DeclarationOptions {
  timeout?: number;
  retries?: number;
  logHttp?: boolean;
}

export interface OutputFlags {
  format: FormatName;
  report?: ReportTarget[];
  color?: boolean;
  full?: boolean;
}

/** The flags that a command context is opened with. */
export interface ContextFlags extends ConnectionFlags, SetupOptions {}

export interface PlanFlags extends ContextFlags, OutputFlags, PlanningOptions {}

export interface ApplyFlags extends PlanFlags {
  yes?: boolean;
  lockTimeout: number;
}

export type ExitLocationFlags = Pick<ProxiedRequest, 'country' | 'city' | 'dns' | 'session' | 'direct'>;

/** Adds command lines that can be copied, each with its purpose, to the end of the help. */
export function addExamples(command: Command, purposes: Readonly<Record<string, string>>): Command {
  const width = Math.max(...Object.keys(purposes).map((line) => line.length));
  const rows = Object.entries(purposes).map(([line, purpose]) => `  ${line.padEnd(width)}  # ${purpose}`);
  return command.addHelpText('after', `\nExamples:\n${rows.join('\n')}`);
}

/** Adds an option, and its former name, which is hidden from the help and works for one release. */
export function addRenamedOption(command: Command, option: Option, former: string): Command {
  const hidden = new Option(option.flags.replace(option.long ?? '', former)).hideHelp();
  hidden.attributeName = () => option.attributeName();
  if (option.parseArg !== undefined) hidden.argParser(option.parseArg);
  return command.addOption(option).addOption(hidden);
}

export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** Parses the port of a server; 0 stands for any free port. */
export function listenPort(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port: 0 to 65535.');
  return port;
}

export function positiveNumber(text: string): number {
  if (!/^0*[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

export function ipAddress(text: string): string {
  if (!isIPv4(text)) throw new InvalidArgumentError('It must be an IPv4 address.');
  return text;
}

function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

/** Returns a header from the variable that an option names, so that no secret is on a command line. @throws ProblemError if it is not set */
export function variableFrom(option: string, name: string, { env }: Pick<Io, 'env'>, fix: string): string {
  const value = env[name];
  if (value) return value;
  const allowed = 'the name of a variable that holds the value of the header';
  throw new ProblemError([{ code: 'missing-variable', found: `${option}: ${name} is not set`, allowed, fix }]);
}

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

/** Adds the option of commands that fetch lists of the declaration. */
function allowCommandOption(): Option {
  return new Option(
    '--allow-command <command>',
    'full command line that a list of the declaration may run; repeatable (default: WEBDATA_ALLOW_COMMAND)',
  ).argParser(collect);
}

export function withConnection(command: Command): Command {
  return withService(withDeclarationFiles(command)).addOption(allowCommandOption());
}

/** Adds the options of requests to the service and the manager. */
export function withService(command: Command): Command {
  return command
    .option('--api-url <url>', 'service URL; overrides service.url and WEBDATA_API_URL')
    .option('--manager-url <url>', 'proxy manager URL; overrides manager.url and WEBDATA_MANAGER_URL')
    .option('--timeout <seconds>', 'longest time to wait for an answer (default: 30)', seconds)
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

export function withOutput(command: Command, formats: readonly FormatName[] = ['text', 'json']): Command {
  return command
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('text'))
    .option('--full', 'show every IP and every note')
    .option('--no-color', 'disable colors, as NO_COLOR does');
}

export function withReports(command: Command): Command {
  return withOutput(command, formatNames).option(
    '--report <format=file>',
    'report file, besides the output; repeatable',
    reportTarget,
  );
}

interface ReportTarget {
  format: FormatName;
  file: string;
}

function reportTarget(text: string, before: ReportTarget[] = []): ReportTarget[] {
  const [name = '', ...rest] = text.split('=');
  const format = formatNames.find((each) => each === name);
  const file = rest.join('=');
  if (format === undefined || file === '') {
    throw new InvalidArgumentError(`It must be FORMAT=FILE, with one of the formats ${formatNames.join(', ')}.`);
  }
  if (before.some((other) => other.file === file))
    throw new InvalidArgumentError('Another --report writes to this file.');
  return [...before, { format, file }];
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

export function selectOption(): Option {
  return new Option('--select <kind/name>', 'only this resource; repeatable').argParser(collect);
}

export function withPlanning(command: Command, select = selectOption()): Command {
  const planning = withJournal(withReports(withConnection(command)))
    .addOption(select)
    .addOption(parallelismOption());
  return withPlanGuards(planning);
}

/** Adds the options that allow a plan to do what its guards refuse. */
export function withPlanGuards(command: Command): Command {
  return withGuardOptions(command)
    .option('--allow-unclear-listing', 'fill zones whose listing is {} or null instead of a list of IPs')
    .option('--force-ports', 'delete absentPorts even if the manager does not list its ports');
}

export function parallelismOption(): Option {
  const about = 'number of independent resources (default: 10) and of independent calls (default: 4) handled at a time';
  return new Option('--parallelism <count>', about).argParser(positiveNumber);
}

/** Adds the options that relax the guards of the declaration, which an undo respects too. */
export function withGuardOptions(command: Command): Command {
  const maxMoves = new Option('--max-moves <count>', 'limit on moved IPs for this run; can only raise maxMoves');
  return addRenamedOption(command, maxMoves.argParser(wholeNumber), '--allow-moves').option(
    '--allow-self-lockout',
    'allow removing your own address from wwwWhitelistIps',
  );
}

export function pruneOption(): Option {
  return new Option(
    '--prune',
    "remove schedules and deliveries of the declaration's `name` that are registered but no longer declared",
  ).conflicts('select');
}

export function enforceOption(): Option {
  return new Option('--enforce', 'refuse a plan that exceeds one of its budgets, in place of a warning');
}

/** The option of plan and of every command that moves IPs. */
export function resendOption(): Option {
  return new Option('--resend', 'resend moves that the service accepted but no listing shows; may be charged twice');
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
