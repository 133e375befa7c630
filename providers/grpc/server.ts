/** The gRPC server of a plugin on loopback, and the services of its protocol. */
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/** Large states: 20,000 IPs are several megabytes. */
const mostBytes = 400 * 1024 * 1024;

export interface Served {
  port: number;
  /** Accepts no more calls, and resolves when the answers of those in progress have been sent. */
  drain(): Promise<void>;
  close(): void;
}

/** Reads the services of a protocol, by name. Messages are plain objects that have every field. */
export function servicesIn(files: readonly string[]): Readonly<Record<string, grpc.ServiceDefinition>> {
  const options = { keepCase: true, longs: Number, enums: String, defaults: true };
  return loadSync([...files], options) as Record<string, grpc.ServiceDefinition>;
}

export async function serveOnLoopback(
  services: readonly (readonly [grpc.ServiceDefinition | undefined, grpc.UntypedServiceImplementation])[],
  { port = 0, credentials = grpc.ServerCredentials.createInsecure() } = {},
): Promise<Served> {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': mostBytes,
    'grpc.max_send_message_length': mostBytes,
  });
  for (const [definition, handlers] of services) server.addService(definition ?? {}, handlers);
  const bound = await new Promise<number>((done, failed) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, actual) => (error ? failed(error) : done(actual)));
  });
  return {
    port: bound,
    drain: () => new Promise((done) => server.tryShutdown(() => done())),
    close: () => server.forceShutdown(),
  };
}
