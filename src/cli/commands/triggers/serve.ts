/** `webdata triggers serve`: the trigger service, until it is interrupted. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { writeWholeFile } from '../../../files/wholeFile.ts';
import { printableJson } from '../../../report/model/printable.ts';
import { knownService } from '../../../sync/config/config.ts';
import { isLoopback } from '../../../triggers/spec/endpoint.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { keepHeapSmall } from '../../execution/heapLimits.ts';
import { examples } from '../../options/examples.ts';
import { listenPort, withConnection } from '../../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../../output/io.ts';
import { encryptionKeys, limitsOf, type StoreFlags, secretSources, storeAddress, withStore } from './store.ts';

interface Flags extends StoreFlags {
  host: string;
  port: number;
  readyFile?: string;
  allowPrivateEndpoints?: boolean;
  openMetrics?: boolean;
  allowHost?: string[];
}

export function addServe(command: Command, { io, end }: Shell): void {
  withStore(withConnection(command.description('fires schedules, and serves their registry and status page')))
    .option('--host <address>', 'to listen on; another than loopback lets other machines in', '127.0.0.1')
    .option('--port <port>', 'to listen on; 0 for any free one', listenPort, 22_997)
    .option('--ready-file <file>', 'written when it listens: its URL, as JSON')
    .option(
      '--allow-host <name>',
      'on loopback: the name by which your own proxy is asked; again for more',
      (name: string, names: string[] = []) => [...names, name],
    )
    .option('--allow-private-endpoints', 'lets results and alerts go to private addresses')
    .option('--open-metrics', 'shows /metrics without the token')
    .addHelpText(
      'after',
      examples({
        'webdata triggers serve': 'on loopback, its ledger in a file; its token is WEBDATA_TRIGGERS_TOKEN',
        'webdata triggers serve --store postgres://ledger.internal/webdata --host 0.0.0.0':
          'one of many, on one ledger',
      }),
    )
    .action(async (flags: Flags) => end(await serve(flags, io)));
}

async function serve(flags: Flags, io: Io): Promise<ExitCode> {
  const { host, port, readyFile, allowPrivateEndpoints = false, openMetrics = false, allowHost: hosts } = flags;
  const token = io.env.WEBDATA_TRIGGERS_TOKEN;
  if (!token) throw new ProblemError([noToken]);
  const store = storeAddress(flags, io);
  if (!store.includes('://')) await mkdir(dirname(store), { recursive: true, mode: 0o700 });
  const { startTriggerService } = await import('../../../triggers/service.ts');
  keepHeapSmall();
  const service = await startTriggerService({
    store,
    token,
    host,
    port,
    hosts,
    openMetrics,
    keys: await encryptionKeys(io),
    secrets: secretSources(flags, io),
    allowPrivate: allowPrivateEndpoints,
    endpointHosts: flags.endpointHost,
    service: knownService(await configIfAny(flags, io)),
    limits: limitsOf(flags),
    log: { write: (line) => io.stderr.write(printableJson(line)) },
    signal: io.signal,
  });
  try {
    if (readyFile !== undefined)
      await writeWholeFile(resolve(io.cwd, readyFile), `${JSON.stringify({ url: service.url })}\n`);
    if (!isLoopback(service.url)) io.stderr.write(beyondThisMachine);
    io.stdout.write(`Trigger service at ${service.url}\n`);
    await untilInterrupted(io);
  } finally {
    await service.close();
  }
  return exitCodes.done;
}

const beyondThisMachine =
  'WARNING: it listens beyond this machine, and what is sent, the token with it, is not encrypted: let your own proxy speak https in front of it.\n';

const noToken = {
  code: 'no-triggers-token',
  found: 'there is no token for the API of the trigger service',
  fix: 'set WEBDATA_TRIGGERS_TOKEN, to what `openssl rand -hex 16` prints, here and where it is called from',
};
