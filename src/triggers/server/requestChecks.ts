/** Checks of every request: its token, its origin, and the size of its body. */
import type { IncomingMessage } from 'node:http';
import { type AllowedOrigins, originViolation } from '../../base/http/allowedOrigins.ts';
import { sameText } from '../../base/http/secret.ts';
import { RefusedRequest } from './answers.ts';

/** @throws RefusedRequest, which never repeats what was sent */
export function assertToken(request: IncomingMessage, token: string): void {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!sameText(given ?? '', token)) throw new RefusedRequest(401, [wrongToken(given)]);
}

function wrongToken(given: string | undefined) {
  return {
    code: 'wrong-token',
    found: given === undefined ? 'the token of the trigger service is missing' : 'the token is wrong',
    allowed: 'Authorization: Bearer TOKEN',
    fix: "use the trigger service's WEBDATA_TRIGGERS_TOKEN",
  };
}

/** @throws RefusedRequest for requests of other sites, and for other host names while the server listens on loopback */
export function assertOrigin(request: IncomingMessage, allowed: AllowedOrigins): void {
  const violation = originViolation(request, allowed);
  if (violation === undefined) return;
  const { status, code, found, fix } = violation;
  const named = code === 'other-host' ? `${fix} (--allow-host NAME)` : fix;
  throw new RefusedRequest(status, [{ code, found, fix: named }]);
}
