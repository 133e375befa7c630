/** The methods of the gRPC contract: messages become plain values for the provider, and its answers messages. */
import grpc from '@grpc/grpc-js';
import plugins from '@pulumi/pulumi/proto/plugin_pb.js';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import statuses from '@pulumi/pulumi/proto/status_pb.js';
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js';
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js';
import type { CheckFailure } from '../core/check.ts';
import { bytesOf, type EngineRequest, type EngineResponse } from './contract.ts';
import {
  type Change,
  type Checked,
  type DetailedDiff,
  type EngineResource,
  HalfDone,
  type WriteRequest,
} from './engineRequests.ts';
import type { Provider } from './provider.ts';
import { parseUrn } from './urn.ts';
import { areEqual } from './values.ts';
import { publishViews } from './views.ts';

type Handler<Request, Response> = grpc.handleUnaryCall<Request, Response>;
type Handlers = grpc.UntypedServiceImplementation;

/** Returns a handler for each method that an engine calls. */
export function methodsOf(provider: Provider, version: string): Handlers {
  return { ...informational(provider, version), ...lifecycle(provider) };
}

/** Answers with what the handler returns; what it throws becomes the call's error, without a stack trace. */
function unary<Request, Response>(
  handle: (request: Request) => Response | Promise<Response>,
): Handler<Request, Response> {
  return async (call, answer) => {
    try {
      answer(null, await handle(call.request));
    } catch (error) {
      answer(statusOf(error));
    }
  };
}

function statusOf(error: unknown): Partial<grpc.StatusObject> {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof HalfDone)) return { code: grpc.status.UNKNOWN, details: message };
  const detail = new messages.ErrorResourceInitFailed().setId(error.written.id).setReasonsList([message]);
  const properties = { properties: error.written.state, inputs: error.inputs };
  const packed = new anyMessages.Any();
  packed.pack(
    bytesOf({ message: detail, properties }, { properties: 2, inputs: 4 }),
    'pulumirpc.ErrorResourceInitFailed',
  );
  const status = new statuses.Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([packed]);
  const metadata = new grpc.Metadata();
  metadata.add('grpc-status-details-bin', Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}

function informational(provider: Provider, version: string): Handlers {
  return {
    handshake: unary((request: messages.ProviderHandshakeRequest) => {
      provider.handshake({ supportsViews: request.getSupportsViews() });
      return new messages.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(false)
        .setAcceptOutputs(false);
    }),
    getPluginInfo: unary(() => new plugins.PluginInfo().setVersion(version)),
    attach: unary(() => new emptyMessages.Empty()),
    cancel: unary(() => {
      provider.cancel();
      return new emptyMessages.Empty();
    }),
    getSchema: unary(() => new messages.GetSchemaResponse().setSchema(provider.schema())),
    checkConfig: unary(({ message, properties }: EngineRequest<'checkConfig'>) =>
      checkResponse(provider.checkConfiguration(properties.news, message.getUrn())),
    ),
    // Without a difference, the engine would go on with the old configuration. No setting requires another provider.
    diffConfig: unary(({ properties: { oldInputs, news } }: EngineRequest<'diffConfig'>) => {
      const isSame = areEqual(oldInputs, news);
      return new messages.DiffResponse().setChanges(isSame ? DIFF_NONE : DIFF_SOME);
    }),
    configure: unary(({ properties }: EngineRequest<'configure'>) => {
      provider.configure(properties.args);
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    invoke: unary(
      async ({
        message,
        properties,
      }: EngineRequest<'invoke'>): Promise<EngineResponse<'invoke', messages.InvokeResponse>> => {
        const { result, failures } = await provider.invoke(message.getTok(), properties.args);
        const response = new messages.InvokeResponse().setFailuresList(failures.map(failureMessage));
        return { message: response, properties: { return: result } };
      },
    ),
    list: async (call: grpc.ServerWritableStream<EngineRequest<'list'>, messages.ListResponse>) => {
      try {
        const { message, properties } = call.request;
        const found = await provider.list(kindOf(message.getToken()), properties.query);
        const limit = message.getLimit() || found.length;
        for (const { id, name } of found.slice(0, limit)) {
          const result = new messages.ListResponse.Result().setId(id).setName(name);
          call.write(new messages.ListResponse().setResult(result));
        }
        call.end();
      } catch (error) {
        // An emitted error becomes the status of the call. A destroyed stream would leave the caller waiting.
        call.emit('error', statusOf(error));
      }
    },
  };
}

function lifecycle(provider: Provider): Handlers {
  return {
    check: unary(async ({ message, properties: { olds, news } }: EngineRequest<'check'>) =>
      checkResponse(await provider.check(resourceOf(message), olds, news)),
    ),
    diff: unary(async ({ message, properties: { olds, news, oldInputs } }: EngineRequest<'diff'>) => {
      const states = { inputs: oldInputs, state: olds };
      return diffResponse(await provider.diff(resourceOf(message), states, news, message.getIgnorechangesList()));
    }),
    create: unary(
      async ({
        message,
        properties,
      }: EngineRequest<'create'>): Promise<EngineResponse<'create', messages.CreateResponse>> => {
        const { id, state } = await provider.create(resourceOf(message), properties.properties, writingOf(message, []));
        const response = new messages.CreateResponse()
          .setId(id)
          .setRefreshBeforeUpdate(provider.refreshesBeforeUpdate());
        return { message: response, properties: { properties: state } };
      },
    ),
    read: unary(
      async ({
        message,
        properties,
      }: EngineRequest<'read'>): Promise<EngineResponse<'read', messages.ReadResponse>> => {
        const olds = { inputs: properties.inputs, state: properties.properties };
        const found = await provider.read(resourceOf(message), message.getId(), olds);
        // Without an id, the resource is gone. An import would take properties for those of a resource, even if there are none.
        if (found === null) {
          return { message: new messages.ReadResponse(), properties: { properties: undefined, inputs: undefined } };
        }
        const response = new messages.ReadResponse()
          .setId(found.id)
          .setRefreshBeforeUpdate(provider.refreshesBeforeUpdate());
        return { message: response, properties: { properties: found.state, inputs: found.inputs } };
      },
    ),
    update: unary(
      async ({
        message,
        properties,
      }: EngineRequest<'update'>): Promise<EngineResponse<'update', messages.UpdateResponse>> => {
        const olds = { inputs: properties.oldInputs, state: properties.olds };
        const state = await provider.update(
          resourceOf(message),
          message.getId(),
          olds,
          properties.news,
          writingOf(message, message.getIgnorechangesList()),
        );
        const response = new messages.UpdateResponse().setRefreshBeforeUpdate(provider.refreshesBeforeUpdate());
        return { message: response, properties: { properties: state } };
      },
    ),
    delete: unary(async ({ message, properties }: EngineRequest<'delete'>) => {
      await provider.delete(resourceOf(message), { inputs: properties.oldInputs, state: properties.properties });
      return new emptyMessages.Empty();
    }),
  };
}

function resourceOf(request: { getUrn(): string; getType(): string }): EngineResource {
  const urn = request.getUrn();
  // Older engines send no type.
  const type = request.getType() || parseUrn(urn).type;
  return { kind: kindOf(type), urn };
}

/** `ZoneIpAllocation` of `webdata:index:ZoneIpAllocation`. */
function kindOf(type: string): string {
  return type.slice(type.lastIndexOf(':') + 1);
}

const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

interface PreviewRequest {
  getUrn(): string;
  getPreview(): boolean;
  getResourceStatusAddress(): string;
  getResourceStatusToken(): string;
}

function writingOf(request: PreviewRequest, ignoreChanges: readonly string[]): WriteRequest {
  const isPreview = request.getPreview();
  const [address, token] = [request.getResourceStatusAddress(), request.getResourceStatusToken()];
  return {
    isPreview,
    ignoreChanges,
    // Views are for previews only: the engine would keep those of an update in the state, and cannot always delete them.
    show: async (views) => {
      if (!isPreview || address === '' || views.length === 0) return false;
      await publishViews({ address, token, parent: request.getUrn() }, views);
      return true;
    },
  };
}

function checkResponse({ inputs, failures }: Checked): EngineResponse<'check', messages.CheckResponse> {
  const response = new messages.CheckResponse().setFailuresList(failures.map(failureMessage));
  return { message: response, properties: { inputs } };
}

function failureMessage({ property, reason }: CheckFailure): messages.CheckFailure {
  return new messages.CheckFailure().setProperty(property).setReason(reason);
}

const { Kind } = messages.PropertyDiff;
const kinds: Readonly<Record<Change, messages.PropertyDiff.Kind>> = {
  add: Kind.ADD,
  delete: Kind.DELETE,
  update: Kind.UPDATE,
};
const replacingKinds: Readonly<Record<Change, messages.PropertyDiff.Kind>> = {
  add: Kind.ADD_REPLACE,
  delete: Kind.DELETE_REPLACE,
  update: Kind.UPDATE_REPLACE,
};

function diffResponse({ hasChanges, properties }: DetailedDiff): messages.DiffResponse {
  const response = new messages.DiffResponse()
    .setChanges(hasChanges ? DIFF_SOME : DIFF_NONE)
    .setDeletebeforereplace(true)
    .setHasdetaileddiff(true);
  const detailed = response.getDetaileddiffMap();
  for (const [path, { change, needsReplacement }] of properties) {
    const kind = (needsReplacement ? replacingKinds : kinds)[change];
    detailed.set(path, new messages.PropertyDiff().setKind(kind).setInputdiff(true));
    if (needsReplacement) response.addReplaces(path);
    response.addDiffs(path);
  }
  return response;
}
