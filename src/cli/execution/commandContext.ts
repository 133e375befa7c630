/** The context that a command works with, opened from its flags and closed at its end. */
import { printableLine } from '../../base/values/printable.ts';
import type { Pause } from '../../client/transport/requestedPauses.ts';
import type { RequestEvent } from '../../client/transport/requestLog.ts';
import type { AccountOptions } from '../../engine/account.ts';
import { configIfAny } from '../../engine/doors/declaration.ts';
import { type SessionContext, withSession } from '../../engine/doors/session.ts';
import type { ListingProgress } from '../../kinds/seam/views.ts';
import type { ConnectionFlags, ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { showPause, showStep, showWaitLeft, startClock, withProgress } from './progress.ts';

/** The name of the phase in which zones are counted. */
const reading = 'reading the live state';

/** Returns the parts of the process that operations of a command use. */
export function surroundingsOf({ logHttp }: ConnectionFlags, io: Io) {
  const { env, cwd, stdin, signal, stderr } = io;
  return {
    env,
    cwd,
    stdin,
    signal,
    warn: (text: string) => void stderr.write(text),
    during: <T>(phase: string, work: () => Promise<T>) => withProgress(phase, io, work),
    onListing: listingProgress(io),
    onPause: (pause: Pause) => showPause(io, pause),
    onRequest: logHttp ? (event: RequestEvent) => void stderr.write(requestLine(event)) : undefined,
    front: undefined,
  };
}

function listingProgress(io: Io): (progress: ListingProgress) => void {
  const clock = startClock();
  return ({ listed, asked, waitMs }) => {
    showWaitLeft(io, waitMs);
    showStep(io, () => `${reading}, ${listed} of ${asked} zones, ${clock()}`, reading);
  };
}

/**
 * Reads the declaration if there is one, opens a context without a backend in which nothing can be changed, and closes it when `action` has
 * ended. It asks the user nothing, because progress is shown until then.
 */
export const withContext = inContext({ readOnly: true });

/** Opens the same context for what a command sends by itself, such as a request or a trigger. */
export const withSendingContext = inContext({ readOnly: false });

function inContext({ readOnly }: { readOnly: boolean }) {
  return async <T>(flags: ContextFlags, io: Io, action: (context: SessionContext) => Promise<T>): Promise<T> => {
    const config = await configIfAny(flags, io);
    return withProgress('waiting for the answer', io, () =>
      withSession(flags, { ...surroundingsOf(flags, io), readOnly }, config, action),
    );
  };
}

/** Returns the flags of a command that opens an account, with its surroundings. */
export function accountOptions(flags: ContextFlags & AccountOptions, io: Io): AccountOptions {
  return { ...flags, ...surroundingsOf(flags, io) };
}

/** Returns the lines of `--log-http`: the request, its bodies, and each value of an unexpected shape. The client has redacted them. */
export function requestLine(event: RequestEvent): string {
  const { method, url, attempt, ms, status, error, requestBody, responseBody, misfits = [] } = event;
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  // An error begins with its request, which is in the line already.
  const outcome = error?.replace(`${method} ${url} `, '') ?? status;
  const lines = [
    `http: ${method} ${url}${again} -> ${outcome} in ${Math.round(ms)} ms`,
    ...(requestBody === undefined ? [] : [`http:   > ${requestBody}`]),
    ...(responseBody === undefined ? [] : [`http:   < ${responseBody}`]),
    ...misfits.map(({ path, found, expected, count }) => {
      const others = count > 1 ? ` (${count} such values)` : '';
      return `http:   ! ${path}: expected ${expected}, received ${found}${others}`;
    }),
  ];
  return lines.map(printableLine).join('');
}
