/** Abandons answers that arrive a few bytes at a time and would neither stall nor end. */
import type { Dispatcher } from 'undici';

/** Error of an abandoned body. */
export class TooSlow extends Error {}

/** Minimum throughput: 10 KiB per ten timeouts. */
const timeouts = 10;
const leastBytes = 10 * 1024;

/** Throughput of one body. */
export class Pace {
  readonly #timeoutMs: number;
  #since: number | undefined;
  #bytes = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Counts a piece and returns an error if the body is too slow. */
  after(piece: Uint8Array): TooSlow | undefined {
    const now = performance.now();
    this.#since ??= now;
    this.#bytes += piece.length;
    if (now - this.#since <= timeouts * this.#timeoutMs) return undefined;
    if (this.#bytes < leastBytes) return new TooSlow(`${this.#bytes} bytes in ${timeouts} timeouts`);
    [this.#since, this.#bytes] = [now, 0];
    return undefined;
  }
}

export function givingUpSlowBodies(timeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const receive = handler.onResponseData?.bind(handler);
    const pace = new Pace(timeoutMs);
    handler.onResponseData = (controller, piece) => {
      const slow = pace.after(piece);
      if (slow) controller.abort(slow);
      else receive?.(controller, piece);
    };
    return dispatch(options, handler);
  };
}
