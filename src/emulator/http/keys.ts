/** Authentication and authorization ("Authentication" in the specification). */
import { sameText } from '../../base/http/secret.ts';
import { type ApiKey, isExpired } from '../core/keyring.ts';
import { permissions, type Role, roleOf } from '../core/permissions.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Route } from './route.ts';

/** Returns the role of a valid key. The manager has no roles: null. @throws Refusal for an invalid key */
export function authenticate(world: World, route: Route, authorization: string | undefined): Role | null {
  if (route.access === 'token') {
    checkManagerToken(world.account.manager.token, authorization);
    return null;
  }
  return roleOf(activeKey(world, authorization).permission);
}

/** Refuses roles that may not call a route. */
export function authorize({ method, path, access }: Route, role: Role | null, { rolesWithoutReads }: Dialect): void {
  if (access === 'token') return;
  const readers = permissions.filter((permission) => !rolesWithoutReads.includes(permission));
  const allowed = access === 'readers' ? readers : access;
  if (allowed.some((permission) => roleOf(permission) === role)) return;
  throw new Refusal('role-refused', `${method} ${path} needs the role ${allowed.join(' or ')}`);
}

function activeKey({ keyring, clock }: World, authorization: string | undefined): ApiKey {
  if (!authorization) throw new Refusal('missing-key');
  const token = bearerOf(authorization);
  if (token === null) throw new Refusal('malformed-key');
  const key = keyring.find(token);
  if (!key) throw new Refusal('unknown-key');
  if (isExpired(key, clock())) throw new Refusal('expired-key');
  return key;
}

function checkManagerToken(token: string | undefined, authorization: string | undefined): void {
  if (token === undefined) return;
  if (!sameText(bearerOf(authorization ?? '') ?? '', token)) throw new Refusal('manager-token');
}

const bearerOf = (authorization: string): string | null => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
