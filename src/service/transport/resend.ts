/**
 * Which requests are sent again after which failure: the one rule, for the client and for the trigger service.
 *
 * | failure                       | read  | write                | collector trigger    |
 * |-------------------------------|-------|----------------------|----------------------|
 * | nothing was sent              | again | again                | again                |
 * | 429                           | again | again                | again                |
 * | 408, 425                      | again | no: unknown          | no: unknown          |
 * | 5xx other than 501 and 505    | again | no: unknown          | again (section "Errors") |
 * | 501, 505                      | no    | no: unknown          | no: unknown          |
 * | lost or unreadable answer     | again | no: unknown          | no: unknown          |
 * | any other 4xx                 | no    | no                   | no                   |
 *
 * A data set trigger is a write: the specification asks for a repetition after a 5xx only for /dca/trigger.
 */
import { ServiceError } from '../errors.ts';
import { isTransientStatus } from './statuses.ts';

/** The failures after which a write is repeated: those without an effect, or also 5xx answers. */
export type Repeats = 'without-effect' | 'after-server-error';

/** Returns true if the same request may be sent again after this failure. */
export function maySendAgain(error: unknown, repeats: Repeats): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error.effect === 'none') return error.transient;
  return repeats === 'after-server-error' && isTransientServerError(error);
}

function isTransientServerError({ status = 0 }: ServiceError): boolean {
  return status >= 500 && isTransientStatus(status);
}
