/** A relay between a process and its peers that can act before and after the effect of each write. */
import type { IncomingHttpHeaders } from 'node:http';
import { type FaultyPeer, openFaultyPeer, passOn } from '../../test/faultyPeer.ts';

type Handling = 'lost' | 'late' | 'unanswered';

interface Relay extends FaultyPeer {
  /** Starts counting: the next request is the first. */
  listen(): void;
  /** Resolves with the first request. */
  heard(): Promise<void>;
  /** Returns the number of writes so far. */
  changes(): number;
}

/** The rules of a relay: `strike` kills the process, `handlingOf` decides about the n-th write, counted from 1. */
interface RelayRules {
  handlingOf(number: number): Handling | undefined;
  strike(): void;
  /** Called when a write arrives, before it is passed on. */
  arrived?(headers: IncomingHttpHeaders): void;
  /** Called after each write that was passed on, before its answer is. */
  passed?(write: PassedWrite): void;
}

/** A write, and the time on the monotonic clock during which the server handled it. */
export interface PassedWrite {
  headers: IncomingHttpHeaders;
  from: number;
  to: number;
}

/** Opens a relay; `upstream` returns the address for each path. */
export async function openRelay(upstream: (path: string) => string, rules: RelayRules): Promise<Relay> {
  let first = Promise.withResolvers<void>();
  let changes = 0;
  const peer = await openFaultyPeer(upstream, async ({ method, headers, body, outgoing, handOn }) => {
    first.resolve();
    // A PUT of {} reads the settings.
    const isChange = method !== 'GET' && body.toString() !== '{}';
    if (isChange) {
      changes += 1;
      rules.arrived?.(headers);
    }
    const handling = isChange ? rules.handlingOf(changes) : undefined;
    if (handling === 'lost' || handling === 'late') rules.strike();
    if (handling === 'lost') return void outgoing.destroy();
    const from = performance.now();
    const answer = await handOn();
    if (isChange) rules.passed?.({ headers, from, to: performance.now() });
    if (handling === 'unanswered') rules.strike();
    passOn(answer, outgoing);
  });
  return {
    ...peer,
    listen: () => {
      first = Promise.withResolvers<void>();
    },
    heard: () => first.promise,
    changes: () => changes,
  };
}
