/** The gRPC server of the plugin: the protocol, and the calls with which the client ends the process. */
import { join } from 'node:path';
import grpc from '@grpc/grpc-js';
import { type Served, serveOnLoopback, servicesIn } from '../grpc/server.ts';
import { protocolMethods } from './methods.ts';
import type { TerraformProvider } from './provider.ts';

/** `onShutdown` is called when the client needs the plugin no more. */
export function servePlugin(
  provider: TerraformProvider,
  credentials: grpc.ServerCredentials,
  onShutdown: () => void,
): Promise<Served> {
  const files = ['protocol.proto', 'controller.proto'].map((name) => join(import.meta.dirname, name));
  const { 'tfplugin6.Provider': protocol, 'plugin.GRPCController': controller } = servicesIn(files);
  const shutdown = {
    Shutdown(_call: unknown, answer: grpc.sendUnaryData<object>) {
      answer(null, {});
      onShutdown();
    },
  };
  return serveOnLoopback(
    [
      [protocol, handlersOf(provider)],
      [controller, shutdown],
    ],
    { credentials },
  );
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
