/** Gives up an answer that comes a few bytes at a time: it would never stall, and never end. */
import type { Dispatcher } from 'undici';

/** What a body is given up with. */
export class TooSlow extends Error {}

/** In so many time-outs, at least so many bytes: less is no honest connection. */
const timeouts = 10;
const leastBytes = 10 * 1024;

export function givingUpSlowBodies(timeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const receive = handler.onResponseData?.bind(handler);
    let since: number | undefined;
    let bytes = 0;
    handler.onResponseData = (controller, piece) => {
      const now = performance.now();
      since ??= now;
      bytes += piece.length;
      if (now - since > timeouts * timeoutMs) {
        if (bytes < leastBytes) return controller.abort(new TooSlow(`${bytes} bytes in ${timeouts} time-outs`));
        [since, bytes] = [now, 0];
      }
      receive?.(controller, piece);
    };
    return dispatch(options, handler);
  };
}
