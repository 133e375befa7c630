/** The provider's gRPC server on loopback. */
import grpc from '@grpc/grpc-js';
import { contract } from './contract.ts';
import { methodsOf } from './methods.ts';
import type { Provider } from './provider.ts';

type Handlers = grpc.UntypedServiceImplementation;

/** Large states: 20,000 IPs are several megabytes. */
const channelOptions = {
  'grpc.max_receive_message_length': 400 * 1024 * 1024,
  'grpc.max_send_message_length': 400 * 1024 * 1024,
};

interface Served {
  port: number;
  /** Accepts no more calls, and resolves when the answers of those in progress have been sent. */
  drain(): Promise<void>;
  close(): void;
}

interface ServeOptions {
  version: string;
  /** 0 for any free one. */
  port?: number;
}

/**
 * Serves the contract on loopback. An engine starts a process for each of its providers; when it attaches to a running process instead, each of its
 * providers has a connection. `makeProvider` makes that of each connection.
 */
export async function serve(makeProvider: () => Provider, { version, port = 0 }: ServeOptions): Promise<Served> {
  const server = new grpc.Server(channelOptions);
  server.addService(
    contract(),
    perConnection(() => methodsOf(makeProvider(), version)),
  );
  const bound = await new Promise<number>((done, failed) => {
    server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, actual) =>
      error ? failed(error) : done(actual),
    );
  });
  return {
    port: bound,
    drain: () => new Promise((done) => server.tryShutdown(() => done())),
    close: () => server.forceShutdown(),
  };
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
      if (name === 'cancel') cancelled.add(call.getPeer());
      handler(call, answer);
    },
  ]);
  return Object.fromEntries(delegated);
}
