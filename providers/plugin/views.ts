/** Shows the calls of an update as children of the resource, in previews only. */
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/resource_status_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/resource_status_pb.js';
import structs from 'google-protobuf/google/protobuf/struct_pb.js';
import type { View } from './engineRequests.ts';
import { parseUrn } from './urn.ts';
import { encode } from './values.ts';

/** The address at which the engine accepts views, and the token of the step that they belong to. */
interface ViewTarget {
  address: string;
  token: string;
  /** URN of the resource that the views are children of. */
  parent: string;
}

const clients = new Map<string, services.ResourceStatusClient>();

/**
 * Publishes views; each has a new state only. The engine would store an old state, or the views of a real update, in the stack's state, and
 * after a later failure it would refuse to read that state.
 */
export async function publishViews({ address, token, parent }: ViewTarget, views: readonly View[]): Promise<void> {
  const client = clients.get(address) ?? new services.ResourceStatusClient(address, grpc.credentials.createInsecure());
  clients.set(address, client);
  const request = new messages.PublishViewStepsRequest()
    .setToken(token)
    .setStepsList(views.map((view) => stepOf(view, parent)));
  await promisify(client.publishViewSteps.bind(client) as (request: unknown, done: () => void) => void)(request);
}

const { Op, Status } = messages.ViewStep;
const operations = { create: Op.CREATE, update: Op.UPDATE } as const;

function stepOf({ operation, type, name, values }: View, parent: string): messages.ViewStep {
  const { type: parentType, name: parentName } = parseUrn(parent);
  const properties = structs.Struct.deserializeBinary(encode({ values, secrets: [] }));
  const state = new messages.ViewStepState()
    .setType(type)
    .setName(name)
    .setParentType(parentType)
    .setParentName(parentName)
    .setInputs(properties)
    .setOutputs(properties);
  return new messages.ViewStep()
    .setStatus(Status.OK)
    .setOp(operations[operation])
    .setType(type)
    .setName(name)
    .setNew(state);
}
