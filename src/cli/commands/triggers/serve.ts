/** `webdata triggers serve`: runs until it is interrupted. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { fitsHeader } from '../../../base/values/headerText.ts';
import { isLoopbackUrl } from '../../../triggers/declared/endpoint.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples, collect, listenPort } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../../output/io.ts';
import { writeOutput } from '../../output/outputFile.ts';
import { serverLog } from '../../output/serverLog.ts';
import { type StoreFlags, withStore, workerSettingsFrom } from './ledgerOptions.ts';

interface Flags extends StoreFlags {
  host: string;
  port: number;
  readyFile?: string;
  openMetrics?: boolean;
  allowHost?: string[];
}

export function addServe(command: Command, { io, end }: Shell): void {
  withStore(
    withConnection(command.description('Run the trigger service: fire schedules, and serve its API and status page')),
  )
    .option('--host <address>', 'listen address; beyond loopback, other machines can connect', '127.0.0.1')
    .option('--port <port>', 'listen port; 0 for any free port', listenPort, 22_997)
    .option('--ready-file <file>', 'JSON file with the URL, written when the service listens')
    .option(
      '--allow-host <name>',
      'host name of the reverse proxy in front of a service on loopback; repeatable',
      collect,
    )
    .option('--open-metrics', 'serve /metrics without the token')
    .action(async (flags: Flags) => end(await serve(flags, io)));
  addExamples(command, {
    'webdata triggers serve': 'on loopback, with a ledger file; its token is WEBDATA_TRIGGERS_TOKEN',
    'webdata triggers serve --store postgres://ledger.internal/webdata --host 0.0.0.0':
      'one of several servers on one ledger',
  });
}

async function serve(flags: Flags, io: Io): Promise<ExitCode> {
  const { host, port, readyFile, openMetrics = false, allowHost: hosts } = flags;
  const token = io.env.WEBDATA_TRIGGERS_TOKEN;
  if (!token) throw new ProblemError([noToken]);
  if (!fitsHeader(token)) throw new ProblemError([unusableToken]);
  const settings = await workerSettingsFrom(flags, io);
  const { startTriggerService } = await import('../../../triggers/service.ts');
  const service = await startTriggerService({
    ...settings,
    token,
    host,
    port,
    hosts,
    openMetrics,
    log: { write: serverLog(io) },
    signal: io.signal,
  });
  try {
    if (readyFile !== undefined)
      await writeOutput('--ready-file', readyFile, `${JSON.stringify({ url: service.url })}\n`, io);
    if (!isLoopbackUrl(service.url)) io.stderr.write(exposedWarning);
    io.stdout.write(`Trigger service at ${service.url}\n`);
    await untilInterrupted(io);
  } finally {
    await service.close();
  }
  return exitCodes.done;
}

const exposedWarning =
  'WARNING: the trigger service accepts connections from other machines. Its traffic, including the token, is not encrypted: put your own HTTPS proxy in front of it.\n';

const noToken = {
  code: 'no-triggers-token',
  found: 'WEBDATA_TRIGGERS_TOKEN is not set',
  fix: 'set it to the output of `openssl rand -hex 16`, here and for every client of the trigger service',
};

const unusableToken = {
  ...noToken,
  found: 'WEBDATA_TRIGGERS_TOKEN contains a space, a line break or another character that no header can carry',
};
