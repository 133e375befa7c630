/** `POST /api/proxies/delete` of a proxy manager as a type of call (specification, F2). */
import { z } from 'zod';
import { counted, does } from '../../../diagnostics/valueWords.ts';
import { type Call, type CallOf, type SentCall, settledEffect, settledOutcome } from '../../call.ts';
import type { CallTotal, CallType, Facts, ObjectBuilder } from '../../callType.ts';
import { concurrencyKeys } from '../../concurrencyKey.ts';
import { managerSection } from './managerSection.ts';

function schema(object: ObjectBuilder) {
  return object({
    type: z.literal('deletePorts').describe('Proxy ports are deleted.'),
    manager: z.string().describe('The origin of the proxy manager.'),
    ports: z.array(z.int()).describe('The ports that are deleted.'),
    observed: z
      .boolean()
      .describe('True if the ports were seen to exist. If they cannot be seen, the call is not drift.'),
  }).describe('`POST /api/proxies/delete` of a proxy manager.');
}

export type DeletePortsCall = CallOf<ReturnType<typeof schema>>;

export function deletePortsCall(call: Omit<DeletePortsCall, 'type'>): DeletePortsCall {
  return { type: 'deletePorts', ...call };
}

export function isDeletePortsCall(call: Call): call is DeletePortsCall {
  return call.type === 'deletePorts';
}

/** Returns the topic of the ports that were deleted at a manager. If the manager does not show its ports, nothing else is known about them. */
export function deletedPortsTopic(manager: string): string {
  return `deleted ports of ${manager}`;
}

/** The ports are gone if the call was answered. If a call with a single port was refused, that port does not exist either. */
function deletedPorts({ call, answered, failed }: SentCall<DeletePortsCall>): Facts | undefined {
  const isGone = answered !== undefined || (failed?.effect === 'none' && call.ports.length === 1);
  return isGone ? { topic: deletedPortsTopic(call.manager), items: call.ports.map(String) } : undefined;
}

const ports: CallTotal<DeletePortsCall> = {
  name: 'ports',
  description: { plan: 'Ports that are deleted.', run: 'Ports that were deleted.' },
  // Ports of two managers may have the same number.
  count: (calls) => new Set(calls.flatMap((call) => call.ports.map((port) => `${call.manager} ${port}`))).size,
  words: {
    planned: (count, _, mode) =>
      mode === 'drift'
        ? does(count, 'port', 'exists that must not', 'exist that must not')
        : does(count, 'port', 'is deleted', 'are deleted'),
    done: (count) => `${counted(count, 'port')} deleted`,
  },
};

export const deletePorts = {
  type: 'deletePorts',
  schema,
  // `observed` makes no difference to the effect.
  key: (call) => JSON.stringify([call.manager, ...[...call.ports].toSorted((a, b) => a - b)]),
  target: ({ manager }) => concurrencyKeys.manager(manager),
  billed: false,
  outcome: settledOutcome,
  effect: settledEffect,
  facts: deletedPorts,
  isObserved: ({ observed }) => observed,
  changes: (call) => call.ports.map((port) => ({ path: ['ports', port], kind: 'remove', before: port })),
  invert: () => [],
  undoNotes: (call) => [{ code: 'left-as-is', text: `deleted ports cannot be restored: ${call.ports.join(', ')}` }],
  section: managerSection,
  noEffect: 'nothing deleted',
  describe: (call) => ({
    subject: 'ports',
    place: call.manager,
    changes: call.ports.map((port) => ({ kind: 'remove', name: 'port', before: String(port) })),
    items: call.ports.map(String),
  }),
  differences: (call, _, mode) =>
    call.ports.map((port) => ({
      key: ['port', String(port)],
      text: `port ${port} ${mode === 'drift' ? 'exists and must not' : 'is deleted'}`,
    })),
  totals: [ports],
} satisfies CallType<DeletePortsCall>;
