/** Callers of the native proxy: `Proxy-Authorization: Basic` with `svc-customer-<account_id>-zone-<zone_name>:<proxy_password>`. */
import { sameText } from '../../base/http/secret.ts';
import type { World } from '../core/world.ts';

/**
 * Returns false if any part is wrong; the proxy does not say which. Options after the zone in the user name, such as `-country-us`, have no
 * effect: the specification names none.
 */
export function isCaller({ account, zones }: World, authorization: string | undefined): boolean {
  const [, encoded = ''] = /^basic +([\w+/]+=*) *$/i.exec(authorization ?? '') ?? [];
  const [, user = '', password] = /^([^:\s]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const [prefix, customer, id, word, zone = '', ...options] = user.split('-');
  const isAccount = prefix === 'svc' && customer === 'customer' && id === account.id && word === 'zone';
  const expected = zones.get(zone)?.password;
  if (!isAccount || password === undefined || expected === undefined) return false;
  return sameText(password, expected) && options.length % 2 === 0 && !options.includes('');
}

/** Answer to all other callers. */
export const challenge = {
  text: 'Proxy authentication required: svc-customer-<account_id>-zone-<zone_name>:<proxy_password>',
  headers: { 'proxy-authenticate': 'Basic realm="native proxy"' },
} as const;
