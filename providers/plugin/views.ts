/** The moves of a planned resource as views: children of the resource that a preview has, and that policies are asked about. */
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import { mayIncurCharges, movesOf } from '../../src/kinds/knownCalls.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import { resourceStatus } from './messages.ts';
import { parseUrn } from './urn.ts';
import { encode } from './values.ts';

/** The IPs that move from one zone to another. */
export interface MoveView {
  name: string;
  values: { from: string; to: string; ips: string[]; mayIncurCharges: boolean };
}

export function moveViews(calls: readonly Call[]): MoveView[] {
  const moves = calls.flatMap((call) => movesOf(call).map((move) => ({ ...move, isBilled: mayIncurCharges(call) })));
  return [...Map.groupBy(moves, ({ from, to }) => `${from} → ${to}`)].map(([name, group]) => {
    const { from = '', to = '', isBilled = false } = group[0] ?? {};
    return { name, values: { from, to, ips: group.map(({ ip }) => ip), mayIncurCharges: isBilled } };
  });
}

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
export async function publishViews({ address, token, parent }: ViewTarget, views: readonly MoveView[]): Promise<void> {
  const client = clients.get(address) ?? new Client(address, grpc.credentials.createInsecure());
  clients.set(address, client);
  const publish = client.PublishViewSteps?.bind(client) as (request: object, done: () => void) => void;
  await promisify(publish)({ token, steps: views.map((view) => stepOf(view, parent)) });
}

function stepOf({ name, values }: MoveView, parent: string): object {
  const { type: parentType, name: parentName } = parseUrn(parent);
  const properties = encode({ values, secrets: [] });
  const type = 'webdata:index:Move';
  return {
    op: 'CREATE',
    type,
    name,
    new: { type, name, parentType, parentName, inputs: properties, outputs: properties },
  };
}
