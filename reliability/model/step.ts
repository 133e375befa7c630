/** One step of the model and the account: its action, then the checks that hold after every step. */
import type fc from 'fast-check';
import type { AccountState } from './state.ts';
import type { Tool } from './tool.ts';

export interface Real {
  tool: Tool;
  /** Counts an event. */
  count(what: Counted): void;
}

export type Counted = 'steps' | 'plans' | 'refusals' | 'applies that moved' | 'applies disturbed' | 'undos' | 'calls';

export type ModelCommand = fc.AsyncCommand<AccountState, Real>;

export function step(name: string, act: (account: AccountState, real: Real) => Promise<void>): ModelCommand {
  return {
    check: () => true,
    toString: () => name,
    async run(account, real) {
      real.count('steps');
      await act(account, real);
      insistNone('the account and the model', differences(account, real.tool.places()));
    },
  };
}

/** Combines steps that have more effect together. */
export function stepByStep(steps: readonly ModelCommand[]): ModelCommand {
  return {
    check: () => true,
    toString: () => steps.join(', then '),
    async run(account, real) {
      for (const each of steps) await each.run(account, real);
    },
  };
}

/** Returns the IPs that are not in exactly the zone that the model has for them. */
function differences({ where }: AccountState, places: ReadonlyMap<string, string>): string[] {
  const all = new Set([...where.keys(), ...places.keys()]);
  return [...all].flatMap((ip) =>
    where.get(ip) === places.get(ip) ? [] : [`${ip}: expected in ${where.get(ip)}, found in ${places.get(ip)}`],
  );
}

export function insist(isTrue: boolean, what: () => string): void {
  if (!isTrue) throw new Error(what());
}

export function insistNone(what: string, found: readonly string[]): void {
  insist(found.length === 0, () => `${what}: ${found.join('; ')}`);
}

export function insistEqual(what: string, expected: unknown, found: unknown): void {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  insist(wanted === got, () => `${what}: expected ${wanted}, found ${got}`);
}
