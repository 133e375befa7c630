/** A relay between a process and its peers that can act before and after the effect of each write. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closed, handedOn, listening } from '../faults/gateway.ts';

type Handling = 'lost' | 'late' | 'unanswered';

interface Relay {
  url: string;
  /** Starts counting: the next request is the first. */
  listen(): void;
  /** Resolves with the first request. */
  heard(): Promise<void>;
  /** Returns the number of writes so far. */
  changes(): number;
  /** Resolves when every held request has been passed on. */
  settled(): Promise<void>;
  close(): Promise<void>;
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
  const held = new Set<Promise<void>>();
  let changes = 0;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    first.resolve();
    const body = await buffer(incoming);
    const isOne = isChange(incoming, body);
    if (isOne) {
      changes += 1;
      rules.arrived?.(incoming.headers);
    }
    const handling = isOne ? rules.handlingOf(changes) : undefined;
    if (handling === 'lost' || handling === 'late') rules.strike();
    if (handling === 'lost') return void outgoing.destroy();
    const from = performance.now();
    const answer = await handedOn(upstream(incoming.url ?? ''), incoming, body);
    if (isOne) rules.passed?.({ headers: incoming.headers, from, to: performance.now() });
    if (handling === 'unanswered') rules.strike();
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const served = serve(incoming, outgoing).catch(() => void outgoing.destroy());
    held.add(served);
    void served.finally(() => held.delete(served));
  });
  return {
    url: await listening(server),
    listen: () => {
      first = Promise.withResolvers<void>();
    },
    heard: () => first.promise,
    changes: () => changes,
    settled: async () => void (await Promise.all(held)),
    close: () => closed(server),
  };
}

/** Returns true for a write. A PUT of {} reads the settings. */
function isChange({ method }: IncomingMessage, body: Buffer): boolean {
  return method !== 'GET' && body.toString() !== '{}';
}
