/** `pulumi-resource-webdata`: the provider plugin as a process. The engine reads the port from the first line of its output. */
import { version } from '../../src/version.ts';
import { createEngineLog } from './engineLog.ts';
import { Provider } from './provider.ts';
import { serve } from './server.ts';

const [engineAddress] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const provider = new Provider({ version, log: createEngineLog(engineAddress) });
const { port } = await serve(provider, { version });
process.stdout.write(`${port}\n`);

/** Ends after the call in progress, whose outcome must reach the state. */
async function end(): Promise<void> {
  provider.cancel();
  await provider.idle();
  process.exit();
}

process.on('SIGINT', end);
process.on('SIGTERM', end);

const engine = process.ppid;
const orphanCheckMs = 1_000;
setInterval(() => {
  // A killed engine leaves its plugins to the init process.
  if (process.ppid !== engine) void end();
}, orphanCheckMs);
