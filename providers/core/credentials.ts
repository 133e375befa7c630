/** Credentials in values that need none by their schema: those in URLs. */
import { redactor } from '../../src/client/redact.ts';

/** Without a valid configuration, no key is known, but a URL may hold credentials. */
export const withoutCredentials = redactor();

/** Only URLs can show that they contain credentials: `https://user:password@host`, `?token=…`. */
export function hasCredentials(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('://') && withoutCredentials(value) !== value;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasCredentials);
}
