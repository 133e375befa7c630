import { counted, does } from '../../../base/diagnostics/valueWords.ts';
import { confirmedEffect, confirmedOutcome, type SentCall } from '../../call.ts';
import type { CallTotal, CallType, Facts } from '../../callType.ts';
import { concurrencyKeys } from '../../concurrencyKey.ts';
import { type DeletePortsCall, deletePortsSchema, managerSection } from './managerCalls.ts';

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
  schema: deletePortsSchema,
  // `observed` is left out, because it does not change the effect of the call.
  key: (call) => JSON.stringify([call.manager, ...[...call.ports].toSorted((a, b) => a - b)]),
  target: ({ manager }) => concurrencyKeys.manager(manager),
  billed: false,
  outcome: confirmedOutcome,
  effect: confirmedEffect,
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
    changes: call.ports.map((port) => ({ kind: 'remove', name: 'port', before: String(port), isForbidden: true })),
    items: call.ports.map(String),
  }),
  differences: (call, _, mode) =>
    call.ports.map((port) => ({
      key: ['port', String(port)],
      text: `port ${port} is ${mode === 'drift' ? 'live but declared absent' : 'deleted'}`,
    })),
  totals: [ports],
} satisfies CallType<DeletePortsCall>;
