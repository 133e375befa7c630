/** Messages that the engine shows next to a resource. */
import grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/engine_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/engine_pb.js';

/** Resolves when the engine has the message. */
export type EngineLog = (text: string, urn: string) => Promise<void>;

/** Returns a log that is silent without an engine, as in attach mode. A message that cannot be delivered is dropped. */
export function createEngineLog(address: string | undefined): EngineLog {
  if (address === undefined) return () => Promise.resolve();
  const client = new services.EngineClient(address, grpc.credentials.createInsecure());
  return (text, urn) => {
    const request = new messages.LogRequest().setSeverity(messages.LogSeverity.INFO).setMessage(text).setUrn(urn);
    return new Promise((done) => client.log(request, () => done()));
  };
}
