/** Gives up an answer that comes a few bytes at a time: it would never stall, and never end. */
import type { Dispatcher } from 'undici';

/** What a body is given up with. */
export class TooSlow extends Error {}

/** In so many time-outs, at least so many bytes: less is no honest connection. */
const timeouts = 10;
const leastBytes = 10 * 1024;

/** Of one body, told of each piece as it comes. */
export class Pace {
  readonly #timeoutMs: number;
  #since: number | undefined;
  #bytes = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** What to give the body up with, where it is time. */
  after(piece: Uint8Array): TooSlow | undefined {
    const now = performance.now();
    this.#since ??= now;
    this.#bytes += piece.length;
    if (now - this.#since <= timeouts * this.#timeoutMs) return undefined;
    if (this.#bytes < leastBytes) return new TooSlow(`${this.#bytes} bytes in ${timeouts} time-outs`);
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
