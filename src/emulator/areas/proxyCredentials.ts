/** Callers of the native proxy: `Proxy-Authorization: Basic` with `svc-customer-<account_id>-zone-<zone_name>:<proxy_password>`. */
import { sameText } from '../../base/http/secret.ts';
import type { World } from '../core/world.ts';

export interface Caller {
  zone: string;
  /** Options after the zone in the user name, by name: `-country-us`. The specification names none. */
  options: Record<string, string>;
}

/** Returns the caller, or undefined if any part is wrong; the proxy does not say which. */
export function callerOf({ account, zones }: World, authorization: string | undefined): Caller | undefined {
  const [, encoded] = /^basic +([\w+/]+=*) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, user = '', password] = /^([^:\s]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const [prefix, customer, id, word, zone = '', ...more] = user.split('-');
  const isAccount = prefix === 'svc' && customer === 'customer' && id === account.id && word === 'zone';
  if (!isAccount || password === undefined) return undefined;
  const expected = zones.get(zone)?.password;
  if (expected === undefined || !sameText(password, expected)) return undefined;
  if (more.length % 2 !== 0 || more.includes('')) return undefined;
  return {
    zone,
    options: Object.fromEntries(more.flatMap((name, at) => (at % 2 ? [] : [[name, more[at + 1] ?? '']]))),
  };
}

/** Answer to all other callers. */
export const challenge = {
  text: 'Proxy authentication required: svc-customer-<account_id>-zone-<zone_name>:<proxy_password>',
  headers: { 'proxy-authenticate': 'Basic realm="native proxy"' },
} as const;
