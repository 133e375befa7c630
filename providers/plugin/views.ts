/** Shows the calls of an update as children of the resource, in previews only. */
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import type { View } from './engineRequests.ts';
import { resourceStatus } from './messages.ts';
import { parseUrn } from './urn.ts';
import { encode } from './values.ts';

/** The address at which the engine accepts views, and the token of the step that they belong to. */
interface ViewTarget {
  address: string;
  token: string;
  /** URN of the resource that the views are children of. */
  parent: string;
}

const Client = grpc.makeGenericClientConstructor(resourceStatus, 'ResourceStatus');
const clients = new Map<string, InstanceType<typeof Client>>();

/**
 * Publishes views; each has a new state only. The engine would store an old state, or the views of a real update, in the stack's state, and
 * after a later failure it would refuse to read that state.
 */
export async function publishViews({ address, token, parent }: ViewTarget, views: readonly View[]): Promise<void> {
  const client = clients.get(address) ?? new Client(address, grpc.credentials.createInsecure());
  clients.set(address, client);
  const publish = client.PublishViewSteps?.bind(client) as (request: object, done: () => void) => void;
  await promisify(publish)({ token, steps: views.map((view) => stepOf(view, parent)) });
}

function stepOf({ operation, type, name, values }: View, parent: string): object {
  const { type: parentType, name: parentName } = parseUrn(parent);
  const properties = encode({ values, secrets: [] });
  const state = { type, name, parentType, parentName, inputs: properties, outputs: properties };
  return { op: operation.toUpperCase(), type, name, new: state };
}
