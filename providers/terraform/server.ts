/** The gRPC server of the plugin: the protocol, and the calls with which the client ends the process. */
import { join } from 'node:path';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protocolMethods } from './methods.ts';
import type { TerraformProvider } from './provider.ts';

/** Large states: 20,000 IPs are several megabytes. */
const channelOptions = {
  'grpc.max_receive_message_length': 256 * 1024 * 1024,
  'grpc.max_send_message_length': 256 * 1024 * 1024,
};

interface Served {
  port: number;
  drain(): Promise<void>;
}

/** `onShutdown` is called when the client needs the plugin no more. */
export async function servePlugin(
  provider: TerraformProvider,
  credentials: grpc.ServerCredentials,
  onShutdown: () => void,
): Promise<Served> {
  const server = new grpc.Server(channelOptions);
  const files = ['protocol.proto', 'controller.proto'].map((name) => join(import.meta.dirname, name));
  const definition = loadSync(files, { keepCase: true, longs: Number, enums: String, defaults: true });
  server.addService(definition['tfplugin6.Provider'] as grpc.ServiceDefinition, handlersOf(provider));
  server.addService(definition['plugin.GRPCController'] as grpc.ServiceDefinition, {
    Shutdown(_call: unknown, answer: grpc.sendUnaryData<object>) {
      answer(null, {});
      onShutdown();
    },
  });
  const port = await new Promise<number>((done, failed) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? failed(error) : done(bound)));
  });
  return { port, drain: () => new Promise((done) => server.tryShutdown(() => done())) };
}

/** A defect is an error of the call, which the client shows as one of the plugin. */
function handlersOf(provider: TerraformProvider): grpc.UntypedServiceImplementation {
  const methods = Object.entries(protocolMethods(provider)).map(([name, method]) => [
    name,
    async ({ request }: { request: never }, answer: grpc.sendUnaryData<object>) => {
      try {
        answer(null, await method(request));
      } catch (error) {
        answer({ code: grpc.status.INTERNAL, details: error instanceof Error ? error.message : String(error) });
      }
    },
  ]);
  return Object.fromEntries(methods);
}
