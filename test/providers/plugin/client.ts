/** A client of the provider's gRPC contract, as the engine is one: requests and answers as plain values. */
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import statuses from '@pulumi/pulumi/proto/status_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import structs from 'google-protobuf/google/protobuf/struct_pb.js';
import { Provider } from '../../../providers/plugin/provider.ts';
import { serve } from '../../../providers/plugin/server.ts';
import { decode, encode, type WireProperties } from '../../../providers/plugin/values.ts';

type Plain = Readonly<Record<string, unknown>>;

export interface TestEngine extends AsyncDisposable {
  client: services.ResourceProviderClient;
  configure(settings: Plain): Promise<void>;
  check(
    kind: string,
    news: Plain,
    olds?: Plain,
    options?: { urn?: string },
  ): Promise<{ inputs: WireProperties; failures: Record<string, string> }>;
  diff(kind: string, olds: Plain, news: Plain, oldInputs?: Plain): Promise<TestDiff>;
  create(
    kind: string,
    news: Plain,
    options?: { preview?: boolean; secrets?: WireProperties['secrets'] },
  ): Promise<{ id: string; state: WireProperties }>;
  read(kind: string, id: string, olds?: { state: Plain; inputs: Plain }): Promise<TestRead>;
  update(kind: string, id: string, olds: Plain, news: Plain, options?: { preview?: boolean }): Promise<WireProperties>;
  delete(kind: string, id: string, state: Plain): Promise<void>;
  invoke(name: string, args: Plain): Promise<{ result: Plain; failures: Record<string, string> }>;
  list(kind: string, query?: Plain): Promise<{ id: string; name: string }[]>;
  cancel(): Promise<void>;
}

interface TestDiff {
  hasChanges: boolean;
  replaces: string[];
  /** Kinds of difference by property path. */
  properties: Record<string, string>;
}

interface TestRead {
  /** Empty if the resource is gone. */
  id: string;
  state: WireProperties;
  inputs: WireProperties;
}

/** The messages of the engine are those of the generated classes. */
function structOf(properties: WireProperties): structs.Struct {
  return structs.Struct.deserializeBinary(encode(properties));
}

const propertiesOf = (struct: structs.Struct | undefined): WireProperties =>
  decode(struct && Buffer.from(struct.serializeBinary()));

const struct = (values: Plain) => structOf({ values, secrets: [] });
const urnOf = (kind: string) => `urn:pulumi:dev::project::webdata:index:${kind}::resource`;
const typeOf = (kind: string) => `webdata:index:${kind}`;
const failuresIn = (failures: readonly messages.CheckFailure[]) =>
  Object.fromEntries(failures.map((failure) => [failure.getProperty(), failure.getReason()]));

/** Serves a new provider and connects to it. */
export async function openEngine(): Promise<TestEngine> {
  const served = await serve(() => new Provider({ version: '0.0.0', log: async () => {} }), { version: '0.0.0' });
  const client = new services.ResourceProviderClient(`127.0.0.1:${served.port}`, grpc.credentials.createInsecure());
  return {
    ...engineOf(client),
    async [Symbol.asyncDispose]() {
      client.close();
      served.close();
    },
  };
}

/** The engine's calls over a connection to a provider. */
export function engineOf(client: services.ResourceProviderClient): Omit<TestEngine, typeof Symbol.asyncDispose> {
  const call = <Request, Response>(
    method: (request: Request, done: (error: grpc.ServiceError | null, response: Response) => void) => unknown,
  ) => promisify<Request, Response>((request, done) => void method.call(client, request, done as never));
  return {
    client,
    async configure(settings) {
      await call(client.configure)(new messages.ConfigureRequest().setArgs(struct(settings)).setAcceptsecrets(true));
    },
    async check(kind, news, olds = {}, { urn = urnOf(kind) } = {}) {
      const request = new messages.CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(news));
      const response = await call<messages.CheckRequest, messages.CheckResponse>(client.check)(request);
      return { inputs: propertiesOf(response.getInputs()), failures: failuresIn(response.getFailuresList()) };
    },
    async diff(kind, olds, news, oldInputs = olds) {
      const request = new messages.DiffRequest().setUrn(urnOf(kind)).setOlds(struct(olds)).setNews(struct(news));
      const response = await call<messages.DiffRequest, messages.DiffResponse>(client.diff)(
        request.setOldInputs(struct(oldInputs)),
      );
      const kinds = ['add', 'add-replace', 'delete', 'delete-replace', 'update', 'update-replace'];
      const detailed = [...response.getDetaileddiffMap().entries()];
      return {
        hasChanges: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: response.getReplacesList(),
        properties: Object.fromEntries(detailed.map(([path, diff]) => [path, kinds[diff.getKind()] ?? ''])),
      };
    },
    async create(kind, values, { preview = false, secrets = [] } = {}) {
      const news = structOf({ values, secrets });
      const request = new messages.CreateRequest().setUrn(urnOf(kind)).setProperties(news).setPreview(preview);
      const response = await call<messages.CreateRequest, messages.CreateResponse>(client.create)(request);
      return { id: response.getId(), state: propertiesOf(response.getProperties()) };
    },
    async read(kind, id, { state, inputs } = { state: {}, inputs: {} }) {
      const request = new messages.ReadRequest().setUrn(urnOf(kind)).setId(id);
      const response = await call<messages.ReadRequest, messages.ReadResponse>(client.read)(
        request.setProperties(struct(state)).setInputs(struct(inputs)),
      );
      return {
        id: response.getId(),
        state: propertiesOf(response.getProperties()),
        inputs: propertiesOf(response.getInputs()),
      };
    },
    async update(kind, id, olds, news, { preview = false } = {}) {
      const request = new messages.UpdateRequest().setUrn(urnOf(kind)).setId(id).setOlds(struct(olds));
      const response = await call<messages.UpdateRequest, messages.UpdateResponse>(client.update)(
        request.setNews(struct(news)).setPreview(preview),
      );
      return propertiesOf(response.getProperties());
    },
    async delete(kind, id, state) {
      await call(client.delete)(
        new messages.DeleteRequest().setUrn(urnOf(kind)).setId(id).setProperties(struct(state)),
      );
    },
    async invoke(name, args) {
      const request = new messages.InvokeRequest().setTok(typeOf(name)).setArgs(struct(args));
      const response = await call<messages.InvokeRequest, messages.InvokeResponse>(client.invoke)(request);
      return { result: propertiesOf(response.getReturn()).values, failures: failuresIn(response.getFailuresList()) };
    },
    async list(kind, query = {}) {
      const found: { id: string; name: string }[] = [];
      const request = new messages.ListRequest().setToken(typeOf(kind)).setQuery(struct(query));
      for await (const response of client.list(request)) {
        const result = (response as messages.ListResponse).getResult();
        if (result) found.push({ id: result.getId(), name: result.getName() });
      }
      return found;
    },
    async cancel() {
      await call(client.cancel)(new empty.Empty());
    },
  };
}

/** Returns the state that the engine keeps after a failed create or update. */
export function keptState({ metadata }: grpc.ServiceError): { id: string; state: WireProperties } {
  const [details] = metadata.get('grpc-status-details-bin');
  const status = statuses.Status.deserializeBinary(details as Buffer);
  const [packed] = status.getDetailsList();
  const failed = packed?.unpack(
    messages.ErrorResourceInitFailed.deserializeBinary,
    'pulumirpc.ErrorResourceInitFailed',
  );
  return { id: failed?.getId() ?? '', state: propertiesOf(failed?.getProperties()) };
}
