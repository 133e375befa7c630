/** `terraform-provider-webdata`: the provider as a process, which Terraform or OpenTofu starts. */
import { setTimeout } from 'node:timers/promises';
import { endWithEngine } from '../grpc/ending.ts';
import { handshakeLine, isStartedAsPlugin, makeIdentity } from './handshake.ts';
import { TerraformProvider } from './provider.ts';
import { servePlugin } from './server.ts';

if (!isStartedAsPlugin(process.env)) {
  process.stderr.write('This is a provider for Terraform and OpenTofu, which start it themselves.\n');
  process.exit(1);
}

const provider = new TerraformProvider(process.ppid);
const identity = await makeIdentity(process.env);
const { port, drain } = await servePlugin(provider, identity.credentials, () => void end());
process.stdout.write(handshakeLine(port, identity));

/** The longest wait for a client that has ended without reading its answers. */
const drainMs = 1_000;

/** Ends after the call in progress: its outcome must reach the state and the log of the account. */
async function end(): Promise<void> {
  await provider.end();
  await Promise.race([drain(), setTimeout(drainMs)]);
  process.exit();
}

// Ctrl-C reaches the whole group of processes. The client then says itself what is to be stopped.
process.on('SIGINT', () => undefined);
endWithEngine(end, ['SIGTERM', 'SIGHUP', 'SIGQUIT']);
