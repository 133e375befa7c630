/** A gateway between the tool and one of its peers. It passes everything on, and plays a fault on the selected requests. */
import { openFaultyPeer, type Passing } from '../../test/faultyPeer.ts';
import { type CallType, callOf, type Peer } from './calls.ts';
import type { FaultKind } from './kind.ts';
import { type Answer, playFault } from './play.ts';

export interface Seen {
  call: CallType | undefined;
  /** `GET /zone/ips?zone=pricing`. */
  line: string;
  /** True if the request reached the peer, so that it took effect. */
  handedOn: boolean;
  /** The status of the peer's answer, if the request reached it. */
  status?: number;
  isHit: boolean;
  /** True if the fault has no effect on this request. */
  isMoot?: boolean;
}

interface Armed {
  call: CallType;
  /** Selects requests of this call, counted from 1 since the fault was armed, before or after the first write to the peer since then. */
  isHit(number: number, hasWritten: boolean): boolean;
  fault: FaultKind;
}

export interface Gateway {
  url: string;
  seen: Seen[];
  arm(armed: Armed | undefined): void;
  /** Resolves when no request is held any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface GatewayOptions {
  peer: Peer;
  upstream: string;
  /** The target of redirects, which no request may reach. */
  elsewhere: string;
}

export async function openGateway({ peer, upstream, elsewhere }: GatewayOptions): Promise<Gateway> {
  const seen: Seen[] = [];
  let armed: (Armed & { count: number; hasWritten: boolean }) | undefined;
  let over = Promise.withResolvers<void>();

  async function serve({ method, path: target, body: sent, outgoing, handOn }: Passing): Promise<void> {
    const body = sent.toString();
    const call = callOf(peer, method, target, body);
    const entry: Seen = { call, line: `${method} ${target}`, handedOn: false, isHit: false };
    seen.push(entry);
    const fault = faultFor(call);
    entry.isHit = fault !== undefined;
    const ask = async () => {
      entry.handedOn = true;
      const { status, headers, body: answered } = await handOn();
      entry.status = status;
      return { status, headers, text: answered.toString() };
    };
    const answer = await playFault(fault, { ask, outgoing, elsewhere, over: over.promise });
    entry.isMoot = fault !== undefined && answer !== undefined && changesNothing(fault, answer);
  }

  function faultFor(call: CallType | undefined): FaultKind | undefined {
    if (armed === undefined || call === undefined) return undefined;
    const { hasWritten } = armed;
    if (call.kind !== 'read') armed.hasWritten = true;
    if (call !== armed.call) return undefined;
    armed.count += 1;
    return armed.isHit(armed.count, hasWritten) ? armed.fault : undefined;
  }

  const { url, settled, close } = await openFaultyPeer(() => upstream, serve);
  return {
    url,
    settled,
    close,
    seen,
    arm: (rule) => {
      armed = rule && { ...rule, count: 0, hasWritten: false };
      over.resolve();
      over = Promise.withResolvers();
    },
  };
}

/** The body of a refusal does not matter, because its status is enough. */
function changesNothing({ play }: FaultKind, { status, text }: Answer): boolean {
  if (status >= 400 && (play.as === 'body' || play.as === 'cut')) return true;
  return play.as === 'body' && play.headers === undefined && play.change(text) === text;
}
