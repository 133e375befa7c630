/** Which peer a proxied request leaves through. The same session, in the same place, has the same peer, also after a restart. */
import { randomUUID } from 'node:crypto';
import { Refusal } from './core/refusal.ts';
import type { World } from './core/world.ts';
import { madeFrom } from './made.ts';

/** What a request says of its peer, under the names of the specification. */
export interface PeerChoice {
  zone: string;
  country?: string | undefined;
  city?: string | undefined;
  zip?: string | undefined;
  ASN?: string | undefined;
  carrier?: string | undefined;
  session?: string | undefined;
  ip?: string | undefined;
  gip?: string | undefined;
}

/** The peer's IP: one of the zone's static IPs where it has any, else one that is made up. @throws Refusal */
export function peerOf({ inventory }: World, choice: PeerChoice): string {
  const { zone, country, ip, session = randomUUID() } = choice;
  const held = inventory.contents(zone);
  if (ip !== undefined) {
    if (held.some((address) => address.ip === ip)) return ip;
    throw new Refusal('invalid-request', `ip: ${ip} is not in the zone ${zone}`);
  }
  const there = held.filter(({ countries }) => country === undefined || countries[0] === country.toLowerCase());
  if (held.length > 0 && there.length === 0) {
    throw new Refusal('invalid-request', `country: the zone ${zone} has no IP in ${country}`);
  }
  const peer = there[madeFrom(seedOf([zone, session])).number('peer', there.length)];
  return peer?.ip ?? madeUp(choice, session);
}

/** Of 100.64.0.0/10, which is nobody's on the internet; a group is a /24 of it. */
function madeUp({ zone, country, city, zip, ASN, carrier, gip }: PeerChoice, session: string): string {
  const place = gip === undefined ? [country, city, zip, ASN, carrier, session] : [gip];
  const network = madeFrom(seedOf([zone, ...place]));
  const host = madeFrom(seedOf([zone, session])).number('host', 256);
  return `100.${64 + network.number('second', 64)}.${network.number('third', 256)}.${host}`;
}

function seedOf(parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}
