/** `pulumi-resource-webdata`: the provider plugin as a process. The engine reads the port from the first line of its output. */
import { setTimeout } from 'node:timers/promises';
import { version } from '../../src/version.ts';
import { createEngineLog } from './engineLog.ts';
import { Provider } from './provider.ts';
import { serve } from './server.ts';

const [engineAddress] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const log = createEngineLog(engineAddress);
const providers: Provider[] = [];
function makeProvider(): Provider {
  const provider = new Provider({ version, log });
  providers.push(provider);
  return provider;
}

// An engine that has started this process has one provider in it, also after it has connected again. Others attach, each of their providers for itself.
const only = engineAddress === undefined ? undefined : makeProvider();
const { port, drain } = await serve(() => only ?? makeProvider(), { version });
process.stdout.write(`${port}\n`);

/** An engine that is gone reads no answer, but may leave its connection open. */
const drainMs = 5_000;
/** Without a write, no answer can be lost that matters. grpc-js now and then waits without end for a connection that has closed. */
const idleDrainMs = 100;

/** Ends after the call in progress and its answer: its outcome must reach the state. */
async function end(): Promise<void> {
  const isWriting = providers.some((provider) => provider.isWriting());
  for (const provider of providers) provider.cancel();
  await Promise.all(providers.map((provider) => provider.idle()));
  await Promise.race([drain(), setTimeout(isWriting ? drainMs : idleDrainMs)]);
  process.exit();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);

const engine = process.ppid;
const orphanCheckMs = 1_000;
setInterval(() => {
  // A killed engine leaves its plugins to the init process.
  if (process.ppid !== engine) void end();
}, orphanCheckMs);
