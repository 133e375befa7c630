/** Who may ask: whoever sends the token as a bearer token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './answers.ts';

export interface TokenCheck {
  /** @throws Refusal, which tells nothing of what was sent. */
  insist(authorization: string | undefined): void;
}

/** Compares digests, which are of one length, in a time that says nothing about either. */
export function tokenCheck(token: string): TokenCheck {
  const wanted = digestOf(token);
  return {
    insist(authorization) {
      const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      if (!timingSafeEqual(digestOf(given ?? ''), wanted)) throw new Refusal(401, [wrongToken(given)]);
    },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function wrongToken(given: string | undefined) {
  return {
    code: 'wrong-token',
    found: given === undefined ? 'no token of the trigger service' : 'a token that is not the trigger service’s',
    allowed: 'Authorization: Bearer TOKEN',
    fix: 'send the token that the trigger service was started with (WEBDATA_TRIGGERS_TOKEN)',
  };
}
