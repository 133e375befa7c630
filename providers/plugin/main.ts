/** `pulumi-resource-webdata`: the provider plugin as a process. The engine reads the port from the first line of its output. */
import { setTimeout } from 'node:timers/promises';
import { version } from '../../src/version.ts';
import { endWithEngine } from '../grpc/ending.ts';
import { createEngineLog } from './engineLog.ts';
import { Provider } from './provider.ts';
import { serve } from './server.ts';

const [engineAddress] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const log = createEngineLog(engineAddress);
const providers: Provider[] = [];
function makeProvider(): Provider {
  const provider = new Provider({ version, log, program: engineAddress === undefined ? undefined : process.ppid });
  providers.push(provider);
  return provider;
}

// An engine that started this process uses one provider, even after it has connected again. Engines that attach get a provider for each
// connection.
const only = engineAddress === undefined ? undefined : makeProvider();
const { port, drain } = await serve(() => only ?? makeProvider(), { version });
process.stdout.write(`${port}\n`);

/** The longest wait for an engine that has ended: it reads no answer, but may leave its connection open. */
const drainMs = 5_000;
/**
 * Without a write, no important answer can be lost, so the wait is short: grpc-js sometimes waits without end for a connection that has
 * closed.
 */
const idleDrainMs = 100;

/** Ends after the call in progress and its answer: its outcome must reach the state. */
async function end(): Promise<void> {
  const isWriting = providers.some((provider) => provider.isWriting());
  for (const provider of providers) provider.cancel();
  await Promise.all(providers.map((provider) => provider.idle()));
  await Promise.race([drain(), setTimeout(isWriting ? drainMs : idleDrainMs)]);
  process.exit();
}

endWithEngine(end, ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
