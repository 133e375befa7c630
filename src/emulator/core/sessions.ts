/** Peers by session: all requests of a zone with the same session go to the same peer (A). */

/** Maximum number of sessions; the oldest ones are dropped. */
const capacity = 100_000;

export class Sessions {
  readonly #peers: Map<string, string>;

  constructor(kept: Readonly<Record<string, string>>) {
    this.#peers = new Map(Object.entries(kept));
  }

  peerOf(zone: string, session: string): string | undefined {
    return this.#peers.get(sessionKey(zone, session));
  }

  remember(zone: string, session: string, peer: string): void {
    const key = sessionKey(zone, session);
    this.#peers.delete(key);
    this.#peers.set(key, peer);
    const [oldest] = this.#peers.keys();
    if (this.#peers.size > capacity && oldest !== undefined) this.#peers.delete(oldest);
  }

  /** Returns all sessions, for the state file. */
  all(): Record<string, string> {
    return Object.fromEntries(this.#peers);
  }
}

const sessionKey = (zone: string, session: string): string => JSON.stringify([zone, session]);
