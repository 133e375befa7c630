/** Options that several commands share, declared once. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../diagnostics/problem.ts';
import { type FormatName, formatNames } from '../../report/formats.ts';
import type { Io } from '../output/io.ts';

export interface ConnectionFlags {
  file?: string[];
  allowEnv?: string[];
  apiUrl?: string;
  managerUrl?: string;
  timeout?: number;
  retries?: number;
  logHttp?: boolean;
}

export interface OutputFlags {
  format: FormatName;
  report?: ReportTarget[];
  color?: boolean;
  full?: boolean;
  /** Of drift: unmanaged IPs are drift too. */
  strict?: boolean;
}

/** What a workbench is opened with. */
export interface WorkbenchFlags extends ConnectionFlags {
  journal?: string;
  allowMoves?: number;
  allowSelfLockout?: boolean;
  allowUnclearListing?: boolean;
  forcePorts?: boolean;
}

export interface PlanFlags extends WorkbenchFlags, OutputFlags {
  select?: string[];
  parallelism?: number;
  prune?: boolean;
  resend?: boolean;
}

export interface ApplyFlags extends PlanFlags {
  yes?: boolean;
  lockTimeout: number;
}

export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** Of a server: 0 is any free one. */
export function listenPort(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port: 0 to 65535.');
  return port;
}

export function positiveNumber(text: string): number {
  if (!/^0*[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

/**
 * The header that an option names the variable of: what is secret stands on no command line. A name that is mistyped would
 * otherwise be found out late. @throws ProblemError where it is not set
 */
export function variableFrom(
  option: string,
  name: string | undefined,
  { env }: Pick<Io, 'env'>,
  fix: string,
): string | undefined {
  const value = name === undefined ? undefined : env[name];
  if (name === undefined || value) return value;
  const allowed = 'the name of a variable that holds the value of the header';
  throw new ProblemError([{ code: 'missing-variable', found: `${option}: ${name} is not set`, allowed, fix }]);
}

export function withFile(command: Command): Command {
  return command.option(
    '-f, --file <file>',
    'the declaration (default: webdata.yaml); again for overlays, merged by key',
    collect,
  );
}

/** For commands that read the declaration. */
export function withDeclarationFiles(command: Command): Command {
  return withFile(command).option(
    '--allow-env <name>',
    'variable that URLs in the declaration may use besides WEBDATA_*; * at its end for any rest; again for more (default: WEBDATA_ALLOW_ENV)',
    collect,
  );
}

export function withConnection(command: Command): Command {
  return withService(withDeclarationFiles(command));
}

/** Where the service and the manager are, and how they are asked. */
export function withService(command: Command): Command {
  return command
    .option('--api-url <url>', 'the service; goes before service.url and WEBDATA_API_URL')
    .option('--manager-url <url>', 'the proxy manager; goes before manager.url and WEBDATA_MANAGER_URL')
    .option('--timeout <seconds>', 'how long to wait for an answer (default: 30)', seconds)
    .option('--retries <count>', 'how often a read that failed is sent again (default: 3)', wholeNumber)
    .option('--log-http', 'every request and its answer on stderr, without secrets');
}

export function withOutput(command: Command, formats: readonly FormatName[] = ['text', 'json']): Command {
  return command
    .addOption(new Option('--format <format>', 'what stdout gets').choices(formats).default('text'))
    .option('--full', 'every IP and every note, however many they are')
    .option('--no-color', 'no colours; so does NO_COLOR');
}

export function withReports(command: Command): Command {
  return withOutput(command, formatNames).option(
    '--report <format=file>',
    'writes a report to a file as well; again for more',
    reportTarget,
  );
}

export interface ReportTarget {
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
  if (before.some((other) => other.file === file)) throw new InvalidArgumentError('Another report goes there.');
  return [...before, { format, file }];
}

export function selectOption(): Option {
  return new Option('--select <kind/name>', 'only this resource; again for more').argParser(collect);
}

export function withPlanning(command: Command, select = selectOption()): Command {
  return withJournal(withReports(withConnection(command)))
    .addOption(select)
    .option(
      '--parallelism <count>',
      'how many independent resources are handled at a time (default: 10)',
      positiveNumber,
    )
    .addOption(allowMovesOption())
    .addOption(allowSelfLockoutOption())
    .addOption(allowUnclearListingOption())
    .option('--force-ports', 'deletes absentPorts again where the manager does not show its ports');
}

/** Of whatever keeps to the guards of a declaration, an undo too. */
export function allowMovesOption(): Option {
  return new Option('--allow-moves <count>', 'raises maxMoves for this run').argParser(wholeNumber);
}

export function allowSelfLockoutOption(): Option {
  return new Option('--allow-self-lockout', 'lets a change take your own address out of wwwWhitelistIps');
}

export function allowUnclearListingOption(): Option {
  return new Option('--allow-unclear-listing', 'fill a zone whose listing is {} or null instead of a list of IPs');
}

/** Of plan and apply. */
export function pruneOption(): Option {
  return new Option(
    '--prune',
    'removes what is registered in the trigger service under this name, and is declared no more',
  ).conflicts('select');
}

/** Of plan and of every command that moves IPs. */
export function resendOption(): Option {
  return new Option(
    '--resend',
    'send a move again that the service accepted and no listing shows; may be charged twice',
  );
}

export function withJournal(command: Command): Command {
  return command.option(
    '--journal <file>',
    'where runs are recorded (default: .webdata/journal.jsonl beside the file)',
  );
}

export function withConsent(command: Command): Command {
  return command
    .option('-y, --yes', 'does not ask')
    .option('--lock-timeout <seconds>', 'how long to wait for another run to end', seconds, 15);
}
