/** The only knowledge about the ports of managers that do not show them: the journal. */
import type { Call } from '../call.ts';
import type { SentCall } from '../sentCall.ts';

/**
 * The ports that calls are known to have deleted, by the origin of their manager. A port that was requested alone and refused does
 * not exist either.
 */
export function deletedPortsIn(calls: readonly SentCall<Call>[]): Map<string, Set<number>> {
  const deleted = new Map<string, Set<number>>();
  for (const { call, answered, failed } of calls) {
    const isGone = answered !== undefined || failed?.effect === 'none';
    if (call.type !== 'deletePorts' || !isGone || (failed && call.ports.length > 1)) continue;
    const ports = deleted.get(call.manager) ?? new Set();
    for (const port of call.ports) ports.add(port);
    deleted.set(call.manager, ports);
  }
  return deleted;
}
