/** `webdata emulator`: the service on loopback, until it is interrupted. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ProblemError } from '../../diagnostics/problem.ts';
import { isLoopback } from '../../triggers/spec/endpoint.ts';
import { examples } from '../options/examples.ts';
import { listenPort } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../output/io.ts';

interface Flags {
  account: string;
  host: string;
  port: number;
  managerPort: number;
  proxyPort?: number;
  readyFile?: string;
  state?: string;
  deliverTo?: string;
}

export function addEmulator(command: Command, { io, end }: Shell): void {
  command
    .requiredOption('--account <file>', 'zones, keys and settings to start with')
    .option('--host <address>', 'to listen on; another than loopback lets other machines in', '127.0.0.1')
    .option('--port <port>', 'of the API; 0 for any free one', listenPort, 0)
    .option('--manager-port <port>', 'of the proxy manager; 0 for any free one', listenPort, 22_999)
    .option('--proxy-port <port>', 'of the native proxy; 0 for any free one (default: no native proxy)', listenPort)
    .option('--ready-file <file>', 'written when all listens: URLs and keys, as JSON')
    .option('--state <file>', 'keep the state here across restarts')
    .option('--deliver-to <folder>', 'write what is delivered to no webhook here (default: deliverTo of the account)')
    .addHelpText(
      'after',
      examples({
        'webdata emulator --account account.yaml': 'the manager on port 22999, the API on any, until ctrl-C',
        'webdata emulator --account account.yaml --port 22998 --ready-file ready.json':
          'on a port of your choice, the URLs in a file',
      }),
    )
    .action(async (flags: Flags) => end(await emulate(flags, io)));
}

/** The emulator is loaded only here: no other command needs its server. */
async function emulate(flags: Flags, io: Io): Promise<ExitCode> {
  const { readAccount, startEmulator, writeReadyFile } = await import('../../emulator/index.ts');
  const { stdout, stderr, cwd } = io;
  const { account: file, readyFile, state, deliverTo, ...ports } = flags;
  const account = await readAccount(resolve(cwd, file));
  const emulator = await startEmulator(
    { ...account, ...(deliverTo !== undefined && { deliverTo: resolve(cwd, deliverTo) }) },
    { ...ports, stateFile: state === undefined ? undefined : resolve(cwd, state) },
  ).catch((error: unknown) => {
    throw withPortOption(error, ports);
  });
  try {
    if (readyFile !== undefined) await writeReadyFile(emulator, resolve(cwd, readyFile));
    if (!isLoopback(emulator.apiUrl)) stderr.write(beyondThisMachine);
    stdout.write(`API ${emulator.apiUrl}\nproxy manager ${emulator.managerUrl}\n`);
    if (emulator.proxyUrl !== undefined) stdout.write(`native proxy ${emulator.proxyUrl}\n`);
    await untilInterrupted(io);
  } finally {
    await emulator.close();
  }
  return exitCodes.done;
}

/** A taken port as the problem that names its option; any other error as it is. */
function withPortOption(error: unknown, { port, managerPort, proxyPort }: Omit<Flags, 'account'>): unknown {
  const { code, port: taken, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return error;
  const options = { '--proxy-port': proxyPort, '--manager-port': managerPort, '--port': port };
  const [option = '--port'] = Object.entries(options).find(([, asked]) => asked === taken) ?? [];
  const fix = `pass another ${option}, or end the process that listens there`;
  return new ProblemError([{ code: 'system-error', found: message, fix }]);
}

const beyondThisMachine =
  'WARNING: it listens beyond this machine, and ANYONE who reaches it can read the keys and change everything: hold nothing real in it.\n';
