/** `webdata emulator`: serves until it is interrupted. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import type { Emulator } from '../../emulator/index.ts';
import { isLoopback } from '../../triggers/declared/endpoint.ts';
import { addExamples, listenPort } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../output/io.ts';
import { serverLog } from '../output/serverLog.ts';

interface Flags {
  account: string;
  host: string;
  port: number;
  managerPort: number;
  proxyPort?: number;
  readyFile?: string;
  state?: string;
  deliverTo?: string;
  logRequests?: boolean;
}

const usage = {
  'webdata emulator --account account.yaml': 'manager on port 22999, API on any free port',
  'webdata emulator --account account.yaml --port 22998 --ready-file ready.json': 'API on a fixed port, URLs in a file',
};

export function addEmulator(command: Command, { io, end }: Shell): void {
  command
    .requiredOption('--account <file>', 'account file: zones, keys and settings to start with')
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
    .option(
      '--deliver-to <folder>',
      'folder for deliveries that do not go to a webhook (default: deliverTo of the account)',
    )
    .option('--log-requests', 'log every request to stderr, without keys (default on a terminal)')
    .action(async (flags: Flags) => end(await emulate(flags, io)));
  addExamples(command, usage);
}

async function emulate(flags: Flags, io: Io): Promise<ExitCode> {
  const { readAccount, startEmulator, writeReadyFile } = await import('../../emulator/index.ts');
  const { stdout, stderr, cwd } = io;
  const { account: file, readyFile, state, deliverTo, logRequests = stderr.isTTY, ...ports } = flags;
  const log = logRequests ? serverLog(io) : undefined;
  const account = await readAccount(resolve(cwd, file));
  const emulator = await startEmulator(
    { ...account, ...(deliverTo !== undefined && { deliverTo: resolve(cwd, deliverTo) }) },
    { ...ports, stateFile: state === undefined ? undefined : resolve(cwd, state), log },
  ).catch((error: unknown) => {
    throw withPortOption(error, ports);
  });
  try {
    if (readyFile !== undefined) await writeReadyFile(emulator, resolve(cwd, readyFile));
    if (!isLoopback(emulator.apiUrl)) stderr.write(exposedWarning);
    stdout.write(started(emulator));
    await untilInterrupted(io);
  } finally {
    await emulator.close();
  }
  return exitCodes.done;
}

/** Returns the addresses and a key of this emulator as commands, ready to paste into another terminal. */
function started({ apiUrl, managerUrl, proxyUrl, keys }: Emulator): string {
  const variables = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_MANAGER_URL: managerUrl };
  const exports = Object.entries(variables).map(([name, value]) => `export ${shellWords([`${name}=${value}`])}\n`);
  const proxy = proxyUrl === undefined ? '' : `Native proxy: ${proxyUrl}\n`;
  return `The emulator is running. In another terminal:\n\n${exports.join('')}\n${proxy}Ctrl-C stops it.\n`;
}

/** Turns the error of a port in use into a problem that names its option. Returns any other error unchanged. */
function withPortOption(error: unknown, { port, managerPort, proxyPort }: Omit<Flags, 'account'>): unknown {
  const { code, port: taken, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return error;
  const options = { '--proxy-port': proxyPort, '--manager-port': managerPort, '--port': port };
  const [option = '--port'] = Object.entries(options).find(([, asked]) => asked === taken) ?? [];
  const fix = `pass another ${option}, or end the process that listens there`;
  return new ProblemError([{ code: 'system-error', found: message, fix }]);
}

const exposedWarning =
  'WARNING: the emulator accepts connections from other machines. ANYONE who can reach it can read its keys and change its state: use no real data.\n';
