/** The methods of the gRPC contract: messages become plain values for the provider, and its answers messages. */
import grpc from '@grpc/grpc-js';
import protobuf from 'protobufjs/minimal.js';
import type { ResourceDiff } from '../core/lifecycle.ts';
import type { PropertyDiff } from '../core/propertyDiff.ts';
import type { CheckFailure } from '../pulumi/failures.ts';
import { propertyPath, writablePath } from '../pulumi/propertyPath.ts';
import { type Checked, type EngineResource, HalfDone, type WriteRequest } from './engineRequests.ts';
import type { Request } from './messages.ts';
import type { Provider } from './provider.ts';
import { parseUrn } from './urn.ts';
import { areEqual, decode, encode, tag } from './values.ts';
import { publishViews } from './views.ts';

type Handlers = grpc.UntypedServiceImplementation;

/** Returns a handler for each method that an engine calls. */
export function methodsOf(provider: Provider, version: string): Handlers {
  return { ...informational(provider, version), ...lifecycle(provider), List: listOf(provider) };
}

/** Answers with what the handler returns; what it throws becomes the call's error, without a stack trace. */
function unary(handle: (request: Request) => object | Promise<object>): grpc.handleUnaryCall<Request, object> {
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
  const status = { code: grpc.status.UNKNOWN, details: message };
  if (!(error instanceof HalfDone)) return status;
  const metadata = new grpc.Metadata();
  metadata.add('grpc-status-details-bin', halfDoneDetails(error));
  return { ...status, metadata };
}

/** Returns a `google.rpc.Status` with an `ErrorResourceInitFailed`. */
function halfDoneDetails({ message, written, inputs }: HalfDone): Buffer {
  const status = protobuf.Writer.create();
  status.uint32(tag(1, 0)).int32(grpc.status.UNKNOWN).uint32(tag(2)).string(message);
  status.uint32(tag(3)).fork().uint32(tag(1)).string('type.googleapis.com/pulumirpc.ErrorResourceInitFailed');
  status.uint32(tag(2)).fork().uint32(tag(1)).string(written.id).uint32(tag(2)).bytes(encode(written.state));
  status.uint32(tag(3)).string(message).uint32(tag(4)).bytes(encode(inputs)).ldelim().ldelim();
  return Buffer.from(status.finish());
}

function informational(provider: Provider, version: string): Handlers {
  return {
    Handshake: unary((request) => {
      provider.handshake(request);
      return { acceptSecrets: true, acceptResources: false, acceptOutputs: false };
    }),
    GetPluginInfo: unary(() => ({ version })),
    Attach: unary(() => ({})),
    Cancel: unary(() => {
      provider.cancel();
      return {};
    }),
    GetSchema: unary(() => ({ schema: provider.schema() })),
    CheckConfig: unary(({ news, urn }) => checkResponse(provider.checkConfiguration(decode(news), urn))),
    // Without a difference, the engine would go on with the old configuration. No setting requires another provider.
    DiffConfig: unary(({ oldInputs, news }) => ({ changes: changesOf(!areEqual(decode(oldInputs), decode(news))) })),
    Configure: unary(({ args }) => {
      provider.configure(decode(args));
      return { acceptSecrets: true, supportsPreview: true };
    }),
    Invoke: unary(async ({ tok, args }) => {
      const { result, failures } = await provider.invoke(tok, decode(args));
      return { return: encode(result), failures };
    }),
  };
}

function listOf(provider: Provider) {
  return async (call: grpc.ServerWritableStream<Request, object>) => {
    try {
      const { token, query, limit } = call.request;
      const found = await provider.list(kindOf(token), decode(query));
      for (const result of found.slice(0, limit || found.length)) call.write({ result });
      call.end();
    } catch (error) {
      // An emitted error becomes the status of the call. A destroyed stream would leave the caller waiting.
      call.emit('error', statusOf(error));
    }
  };
}

function lifecycle(provider: Provider): Handlers {
  const refreshes = () => ({ refreshBeforeUpdate: provider.refreshesBeforeUpdate() });
  return {
    Check: unary(async (request) =>
      checkResponse(await provider.check(resourceOf(request), decode(request.olds), decode(request.news))),
    ),
    Diff: unary(async (request) => {
      const states = { inputs: decode(request.oldInputs), state: decode(request.olds) };
      return diffResponse(
        await provider.diff(resourceOf(request), states, decode(request.news), request.ignoreChanges),
      );
    }),
    Create: unary(async (request) => {
      const writing = { ...writingOf(request), ignoreChanges: [] };
      const { id, state } = await provider.create(resourceOf(request), decode(request.properties), writing);
      return { id, properties: encode(state), ...refreshes() };
    }),
    Read: unary(async (request) => {
      const olds = { inputs: decode(request.inputs), state: decode(request.properties) };
      const found = await provider.read(resourceOf(request), request.id, olds);
      // Without an id, the resource is gone. An import would take properties for those of a resource, even if there are none.
      if (found === null) return {};
      return { id: found.id, properties: encode(found.state), inputs: encode(found.inputs), ...refreshes() };
    }),
    Update: unary(async (request) => {
      const { id, olds, news, oldInputs } = request;
      const states = { inputs: decode(oldInputs), state: decode(olds) };
      const state = await provider.update(resourceOf(request), id, states, decode(news), writingOf(request));
      return { properties: encode(state), ...refreshes() };
    }),
    Delete: unary(async (request) => {
      const olds = { inputs: decode(request.oldInputs), state: decode(request.properties) };
      await provider.delete(resourceOf(request), olds);
      return {};
    }),
  };
}

/** Older engines send no type. */
function resourceOf({ urn, type }: Request): EngineResource {
  return { kind: kindOf(type || parseUrn(urn).type), urn };
}

/** `ZoneIpAllocation` of `webdata:index:ZoneIpAllocation`. */
function kindOf(type: string): string {
  return type.slice(type.lastIndexOf(':') + 1);
}

function writingOf(request: Request): WriteRequest {
  const {
    preview: isPreview,
    ignoreChanges,
    urn,
    resourceStatusAddress: address,
    resourceStatusToken: token,
  } = request;
  return {
    isPreview,
    ignoreChanges,
    // Views are for previews only: the engine would keep those of an update in the state, and cannot always delete them.
    show: async (views) => {
      if (!isPreview || address === '' || views.length === 0) return false;
      await publishViews({ address, token, parent: urn }, views);
      return true;
    },
  };
}

function checkResponse({ inputs, failures }: Checked): { inputs: Uint8Array; failures: readonly CheckFailure[] } {
  return { inputs: encode(inputs), failures };
}

function changesOf(hasChanges: boolean): 'DIFF_SOME' | 'DIFF_NONE' {
  return hasChanges ? 'DIFF_SOME' : 'DIFF_NONE';
}

function diffResponse({ hasChanges, properties }: Pick<ResourceDiff, 'hasChanges' | 'properties'>): object {
  const detailed = properties.map((each) => [propertyPath(each.path), { kind: kindOfDiff(each), inputDiff: true }]);
  const replacing = properties.filter(({ isReplacing }) => isReplacing);
  return {
    changes: changesOf(hasChanges),
    deleteBeforeReplace: true,
    hasDetailedDiff: true,
    detailedDiff: Object.fromEntries(detailed),
    diffs: detailed.map(([path]) => path),
    replaces: replacing.map(({ path }) => propertyPath(path)),
  };
}

/** A property that contains the difference is neither added nor deleted. */
function kindOfDiff({ path, kind, isReplacing }: PropertyDiff): string {
  const change = writablePath(path).length < path.length ? 'update' : kind;
  return `${change.toUpperCase()}${isReplacing ? '_REPLACE' : ''}`;
}
