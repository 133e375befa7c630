import { createRegisteredView } from '../../../src/kinds/registered/view.ts';
import type { Call, Seen } from '../../../src/kinds/seam/call.ts';
import type { CallRecord, Context } from '../../../src/kinds/seam/context.ts';
import type { TriggersClient } from '../../../src/triggers/api/triggersClient.ts';
import { sealedSpec } from '../../../src/triggers/declared/specDigest.ts';

export const triggersUrl = 'http://127.0.0.1:22997';

interface Held {
  name: string;
  spec: object;
  nextTickAt?: number | null;
  lastRun?: object | null;
}

interface Fault {
  error: Error;
  /** The write has its effect although its answer is the error. */
  isEffective?: boolean;
  /** Reads fail after the write, too. */
  isBroken?: boolean;
}

/** Returns a trigger service with these registrations of the owner `acme`, and the context of a resource. */
export function triggerService(deliveries: Held[] = [], schedules: Held[] = []) {
  const events: string[] = [];
  const faults: Fault[] = [];
  const ignored = new Set<string>();
  let broken: Error | undefined;

  function write(name: string, change: () => void): void {
    const fault = faults.shift();
    if ((fault === undefined || fault.isEffective) && !ignored.has(name)) change();
    if (fault?.isBroken) broken = fault.error;
    if (fault) throw fault.error;
  }

  function put(list: Held[], name: string, spec: object) {
    const held = { name, spec: sealedSpec(spec) as object, nextTickAt: null, lastRun: null };
    write(name, () => list.splice(0, list.length, ...list.filter((each) => each.name !== name), held));
    return ignored.has(name) ? list.find((each) => each.name === name) : held;
  }

  function remove(list: Held[], name: string): boolean {
    write(name, () => list.splice(0, list.length, ...list.filter((each) => each.name !== name)));
    return true;
  }

  const client = {
    url: triggersUrl,
    async records(owner: string) {
      if (broken) throw broken;
      events.push(`reads ${owner}`);
      return owner === 'acme'
        ? { deliveries: [...deliveries], schedules: [...schedules] }
        : { deliveries: [], schedules: [] };
    },
    totals: async () => ({ now: Date.UTC(2026, 2, 1) }),
    putDelivery: async (_owner: string, name: string, spec: object) => put(deliveries, name, spec),
    putSchedule: async (_owner: string, name: string, spec: object) => put(schedules, name, spec),
    deleteDelivery: async (_owner: string, name: string) => remove(deliveries, name),
    deleteSchedule: async (_owner: string, name: string) => remove(schedules, name),
  } as unknown as TriggersClient;

  async function sending(call: Call): Promise<CallRecord> {
    events.push(`sends ${call.type}`);
    return {
      answered: async () => void events.push('answered'),
      failed: async ({ code, effect }) => void events.push(`failed ${code} ${effect}`),
      withdraw: async () => {},
      seen: async (seen: Seen) => void events.push('took' in seen && seen.took ? 'took' : 'did not take'),
    };
  }

  function context(name: string, more: Partial<Context<never>> = {}): Context<never> {
    const registered = createRegisteredView(() => client);
    const view = () => registered;
    return {
      name,
      owner: () => 'acme',
      triggers: () => client,
      view,
      recorder: { sending },
      ...more,
    } as unknown as Context<never>;
  }

  return { deliveries, schedules, events, faults, ignored, client, context };
}
