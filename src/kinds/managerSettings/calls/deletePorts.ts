import { urlKey } from '../../../base/values/serverUrl.ts';
import { type SentCall, wholeResult } from '../../seam/call.ts';
import type { CallType, Facts } from '../../seam/callType.ts';
import { concurrencyKeys } from '../../seam/concurrencyKey.ts';
import { type DeletePortsCall, deletePortsSchema } from './managerCalls.ts';

/** Returns the topic of the ports that were deleted at a manager. If the manager does not show its ports, nothing else is known about them. */
export function deletedPortsTopic(manager: string): string {
  return `deleted ports of ${urlKey(manager)}`;
}

/** The ports are gone if the call was answered. If a call with a single port was refused, that port does not exist either. */
function deletedPorts({ call, answered, failed }: SentCall<DeletePortsCall>): Facts | undefined {
  const isGone = answered !== undefined || (failed?.effect === 'none' && call.ports.length === 1);
  return isGone ? { topic: deletedPortsTopic(call.manager), items: call.ports.map(String) } : undefined;
}

export const deletePorts = {
  type: 'deletePorts',
  schema: deletePortsSchema,
  // `observed` is left out, because it does not change the effect of the call.
  key: (call) => JSON.stringify([call.manager, ...[...call.ports].toSorted((a, b) => a - b)]),
  target: ({ manager }) => concurrencyKeys.manager(manager),
  billed: false,
  flow: () => undefined,
  result: wholeResult,
  facts: deletedPorts,
  isObserved: ({ observed }) => observed,
  changes: (call) => call.ports.map((port) => ({ path: ['ports', port], kind: 'remove', before: port })),
  invert: (call) => ({
    calls: [],
    notes: [{ code: 'left-as-is', text: `deleted ports cannot be restored: ${call.ports.join(', ')}` }],
    isFinal: true,
  }),
} satisfies CallType<DeletePortsCall>;
