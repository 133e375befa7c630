/** `webdata emulator`: serves until it is interrupted. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import type { Emulator, EmulatorOptions, FaultInput } from '../../emulator/index.ts';
import { isLoopbackUrl } from '../../triggers/declared/endpoint.ts';
import { type ContextFlags, withConnection } from '../options/options.ts';
import { addExamples, listenPort, positiveNumber } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../output/io.ts';
import { serverLog } from '../output/serverLog.ts';

interface Flags extends ContextFlags {
  account?: string;
  failAt?: number;
  failure: Failure;
  host: string;
  port: number;
  managerPort: number;
  proxyPort?: number;
  readyFile?: string;
  state?: string;
  logRequests?: boolean;
}

/** The failures of `--fail-at`. */
const failures = {
  refused: { kind: 'status', status: 400, body: { error: 'refused on demand' } },
  'lost-answer': { kind: 'drop-after' },
} as const satisfies Record<string, FaultInput['fault']>;

type Failure = keyof typeof failures;

const usage = {
  'webdata emulator --account account.yaml': 'manager on port 22999, API on any free port',
  'webdata emulator --account account.yaml --port 22998 --ready-file ready.json': 'API on a fixed port, URLs in a file',
};

/** An account that a feature emulates in place of that of a file. */
export interface EmulatorExtension {
  addOption(command: Command): void;
  /** The name of its flag. */
  flag: string;
  examples: Readonly<Record<string, string>>;
  start(flags: ContextFlags, options: EmulatorOptions, io: Io): Promise<Started>;
}

export const addEmulatorWith =
  (extension?: EmulatorExtension) =>
  (command: Command, { io, end }: Shell): void => {
    const account = new Option('--account <file>', 'account file: zones, keys and settings to start with');
    withConnection(command).addOption(account.conflicts(extension?.flag ?? []));
    extension?.addOption(command);
    command
      .option(
        '--fail-at <call>',
        'number of the call that fails, from 1: a move, a change of settings…',
        positiveNumber,
      )
      .addOption(
        new Option('--failure <kind>', 'failure of that call').choices(Object.keys(failures)).default('refused'),
      )
      .option('--host <address>', 'listen address; beyond loopback, other machines can connect', '127.0.0.1')
      .option('--port <port>', 'API port; 0 for any free port', listenPort, 0)
      .option('--manager-port <port>', 'port of the proxy manager; 0 for any free port', listenPort, 22_999)
      .option(
        '--proxy-port <port>',
        'port of the native proxy; 0 for any free port (default: no native proxy)',
        listenPort,
      )
      .option('--ready-file <file>', 'JSON file with URLs and keys, written when all ports listen')
      .option('--state <file>', 'state file, kept across restarts')
      .option('--log-requests', 'log every request to stderr, without keys (default on a terminal)')
      .action(async (flags: Flags) => {
        const options = optionsOf(flags, io);
        const isExtended = extension !== undefined && Object.hasOwn(flags, extension.flag);
        const starting = isExtended ? extension.start(flags, options, io) : startAccount(flags, options, io);
        const started = await starting.catch((error: unknown) => {
          throw withPortOption(error, flags);
        });
        end(await serve(started, flags, io));
      });
    addExamples(command, { ...usage, ...extension?.examples });
  };

async function startAccount(flags: Flags, options: EmulatorOptions, io: Io): Promise<Started> {
  const { readAccount, startEmulator } = await import('../../emulator/index.ts');
  const { account: file } = flags;
  if (file === undefined) throw new ProblemError([noAccount]);
  const account = await readAccount(resolve(io.cwd, file));
  const emulator = await startEmulator(account, options);
  const { apiUrl, managerUrl, keys } = emulator;
  const variables = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_MANAGER_URL: managerUrl };
  return { emulator, variables, intro: 'The emulator is running.', close: () => emulator.close() };
}

interface Started {
  emulator: Emulator;
  variables: Readonly<Record<string, string>>;
  intro: string;
  close(): Promise<void>;
}

function optionsOf({ state, logRequests, port, managerPort, proxyPort, host }: Flags, io: Io): EmulatorOptions {
  const log = (logRequests ?? io.stderr.isTTY) ? serverLog(io) : undefined;
  const stateFile = state === undefined ? undefined : resolve(io.cwd, state);
  return { port, managerPort, proxyPort, host, stateFile, log };
}

async function serve({ emulator, variables, intro, close }: Started, flags: Flags, io: Io): Promise<ExitCode> {
  const { writeReadyFile } = await import('../../emulator/index.ts');
  const { failAt, failure, readyFile } = flags;
  try {
    if (failAt !== undefined) emulator.addFault({ route: 'any-call', occurrence: failAt, fault: failures[failure] });
    if (readyFile !== undefined) await writeReadyFile({ ...emulator, variables }, resolve(io.cwd, readyFile));
    if (!isLoopbackUrl(emulator.apiUrl)) io.stderr.write(exposedWarning);
    const proxy = emulator.proxyUrl === undefined ? '' : `Native proxy: ${emulator.proxyUrl}\n`;
    io.stdout.write(`${intro} In another terminal:\n\n${exportsOf(variables)}\n${proxy}Ctrl-C stops it.\n`);
    await untilInterrupted(io);
  } finally {
    await close();
  }
  return exitCodes.done;
}

/** Returns variables as commands, ready to paste into another terminal. */
function exportsOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${shellWords([`${name}=${value}`])}\n`)
    .join('');
}

const noAccount = {
  code: 'no-account',
  found: 'neither --account nor --copy is given',
  allowed: '--account FILE, or --copy for a copy of the live account',
};

/** Turns the error of a port in use into a problem that names its option. Returns any other error unchanged. */
function withPortOption(error: unknown, { port, managerPort, proxyPort }: Flags): unknown {
  const { code, port: taken, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return error;
  const options = { '--proxy-port': proxyPort, '--manager-port': managerPort, '--port': port };
  const [option = '--port'] = Object.entries(options).find(([, asked]) => asked === taken) ?? [];
  const fix = `pass another ${option}, or end the process that listens there`;
  return new ProblemError([{ code: 'system-error', found: message, fix }]);
}

const exposedWarning =
  'WARNING: the emulator accepts connections from other machines. ANYONE who can reach it can read its keys and change its state: use no real data.\n';
