/** Who may ask: whoever sends the token as a bearer token. */
import { sameText } from '../../http/secret.ts';
import { Refusal } from './answers.ts';

export interface TokenCheck {
  /** @throws Refusal, which tells nothing of what was sent. */
  insist(authorization: string | undefined): void;
}

export function tokenCheck(token: string): TokenCheck {
  return {
    insist(authorization) {
      const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      if (!sameText(given ?? '', token)) throw new Refusal(401, [wrongToken(given)]);
    },
  };
}

function wrongToken(given: string | undefined) {
  return {
    code: 'wrong-token',
    found: given === undefined ? 'no token of the trigger service' : 'a token that is not the trigger service’s',
    allowed: 'Authorization: Bearer TOKEN',
    fix: 'send the token that the trigger service was started with (WEBDATA_TRIGGERS_TOKEN)',
  };
}
