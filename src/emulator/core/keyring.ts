/**
 * The account's API keys (specification, "API key" and "Authentication"): one per user, valid until they expire or are refreshed. After a
 * refresh, the old value no longer authenticates.
 */
import { randomBytes } from 'node:crypto';
import { type Permission, type Role, roleOf } from './permissions.ts';

export interface ApiKey {
  user: string;
  permission: Permission;
  /** `unlimited`, a date (the key is valid until the end of that day, UTC), or a date and time with offset. */
  expiration: string;
  /** The bearer token. */
  value: string;
}

export class Keyring {
  readonly #keys: ApiKey[];

  constructor(keys: readonly ApiKey[]) {
    this.#keys = keys.map((key) => ({ ...key }));
  }

  all(): readonly ApiKey[] {
    return this.#keys;
  }

  find(value: string): ApiKey | undefined {
    return this.#keys.find((key) => key.value === value);
  }

  /** Returns the first key of a role. `createWorld` ensures that each role has one. */
  ofRole(role: Role): ApiKey {
    const key = this.#keys.find(({ permission }) => roleOf(permission) === role);
    if (!key) throw new Error(`no key for the role ${role}`);
    return key;
  }

  /** Gives a role's key a new value and returns it. The old value stops working immediately. */
  refresh(role: Role): string {
    const key = this.ofRole(role);
    key.value = randomKey();
    return key.value;
  }

  expire(role: Role, now: Date): void {
    this.ofRole(role).expiration = now.toISOString();
  }
}

export function isExpired({ expiration }: ApiKey, now: Date): boolean {
  return expiration !== 'unlimited' && now.getTime() >= endOf(expiration);
}

export const randomKey = (): string => randomBytes(24).toString('base64url');

/** Returns the expiry in milliseconds since the epoch. A date without a time lasts until the end of that day. */
function endOf(expiration: string): number {
  const dayLength = 24 * 60 * 60 * 1000;
  return Date.parse(expiration) + (expiration.includes('T') ? 0 : dayLength);
}
