/** The provider's gRPC server. */
import { type Served, serveOnLoopback } from '../grpc/server.ts';
import { resourceProvider } from './messages.ts';
import { methodsOf } from './methods.ts';
import type { Provider } from './provider.ts';

interface ServeOptions {
  version: string;
  /** By default any free one. */
  port?: number;
}

/** Serves the contract on loopback. An engine starts a process for each of its providers. */
export function serve(provider: Provider, { version, ...options }: ServeOptions): Promise<Served> {
  return serveOnLoopback([[resourceProvider, methodsOf(provider, version)]], options);
}
