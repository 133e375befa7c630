/** The peak memory of a provider plugin over the life of one resource, without an engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import structs from 'google-protobuf/google/protobuf/struct_pb.js';
import { peakMemoryOf } from './process.ts';

interface MeasuredPlugin {
  /** As the engine starts it. */
  executable: string;
  /** The type of the resource. */
  type: string;
  settings: { apiUrl: string; keys: { ops?: string } };
  inputs: Readonly<Record<string, unknown>>;
}

const channelOptions = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

/** Checks, creates, reads, checks again and compares the resource. Returns bytes. */
export async function pluginMemory({ executable, type, settings, inputs }: MeasuredPlugin) {
  const plugin = spawn(executable, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(plugin.stdout, 'data');
    const address = `127.0.0.1:${String(port).trim()}`;
    const client = new services.ResourceProviderClient(address, grpc.credentials.createInsecure(), channelOptions);
    await live(client, type, { apiUrl: settings.apiUrl, apiKey: settings.keys.ops ?? '' }, inputs);
    client.close();
    return peakMemoryOf(plugin);
  } finally {
    plugin.kill();
    await once(plugin, 'exit');
  }
}

type Plain = Readonly<Record<string, unknown>>;

async function live(client: services.ResourceProviderClient, type: string, settings: Plain, inputs: Plain) {
  const call = <Request, Response>(
    method: (request: Request, done: (error: grpc.ServiceError | null, response: Response) => void) => unknown,
    request: Request,
  ) => promisify<Request, Response>((message, done) => void method.call(client, message, done as never))(request);
  const struct = (values: Plain) => structs.Struct.fromJavaScript(values as never);
  const urn = `urn:pulumi:dev::project::${type}::resource`;
  await call(client.configure, new messages.ConfigureRequest().setArgs(struct(settings)).setAcceptsecrets(true));
  const check = () => new messages.CheckRequest().setUrn(urn).setNews(struct(inputs));
  const checked = await call<messages.CheckRequest, messages.CheckResponse>(client.check, check());
  const create = new messages.CreateRequest().setUrn(urn).setProperties(checked.getInputs());
  const created = await call<messages.CreateRequest, messages.CreateResponse>(client.create, create);
  const [id, state] = [created.getId(), created.getProperties()];
  const read = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(state).setInputs(checked.getInputs());
  await call(client.read, read);
  await call(client.check, check().setOlds(checked.getInputs()));
  const diff = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(state);
  await call(client.diff, diff.setNews(checked.getInputs()).setOldInputs(checked.getInputs()));
}
