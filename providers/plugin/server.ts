/** The provider's gRPC server. */
import type grpc from '@grpc/grpc-js';
import { type Served, serveOnLoopback } from '../grpc/server.ts';
import { resourceProvider } from './messages.ts';
import { methodsOf } from './methods.ts';
import type { Provider } from './provider.ts';

type Handlers = grpc.UntypedServiceImplementation;

interface ServeOptions {
  version: string;
  /** By default any free one. */
  port?: number;
}

/**
 * Serves the contract on loopback. An engine starts a process for each of its providers; when it attaches to a running process instead, each of its
 * providers has a connection. `makeProvider` makes that of each connection.
 */
export function serve(makeProvider: () => Provider, { version, ...options }: ServeOptions): Promise<Served> {
  const handlers = perConnection(() => methodsOf(makeProvider(), version));
  return serveOnLoopback([[resourceProvider, handlers]], options);
}

/** Calls of one connection go to the same handlers. Those of connections that were cancelled are dropped. */
function perConnection(makeHandlers: () => Handlers): grpc.UntypedServiceImplementation {
  const known = new Map<string, Handlers>();
  const cancelled = new Set<string>();
  const first = makeHandlers();
  const handlersAt = (peer: string): Handlers => {
    const handlers = known.get(peer) ?? (known.size === 0 ? first : makeHandlers());
    if (!known.has(peer)) for (const other of cancelled) known.delete(other);
    known.set(peer, handlers);
    return handlers;
  };
  const delegated = Object.keys(first).map((name) => [
    name,
    (call: { getPeer(): string }, answer: unknown) => {
      const handler = handlersAt(call.getPeer())[name] as (call: unknown, answer: unknown) => void;
      if (name === 'Cancel') cancelled.add(call.getPeer());
      handler(call, answer);
    },
  ]);
  return Object.fromEntries(delegated);
}
