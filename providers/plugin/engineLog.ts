/** Messages that the engine shows next to a resource. */
import grpc from '@grpc/grpc-js';
import { engine } from './messages.ts';

/** Resolves when the engine has the message. */
export type EngineLog = (text: string, urn: string) => Promise<void>;

const Client = grpc.makeGenericClientConstructor(engine, 'Engine');

/** Returns a log that is silent without an engine, as in attach mode. A message that cannot be delivered is dropped. */
export function createEngineLog(address: string | undefined): EngineLog {
  if (address === undefined) return () => Promise.resolve();
  const client = new Client(address, grpc.credentials.createInsecure());
  return (message, urn) => new Promise((done) => client.Log?.({ severity: 'INFO', message, urn }, () => done()));
}
