/** Exit peers of proxied requests. All requests of a zone with the same session have the same peer. */
import { randomUUID } from 'node:crypto';
import { fakeDataFrom } from '../core/fakeData.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';

/** Peer options of a request, under the names of the specification. */
interface PeerChoice {
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

/** Returns the peer's IP: a static IP of the zone, or a fake one if the network has no static IPs. @throws Refusal */
export function peerOf(world: World, choice: PeerChoice): string {
  const { zone, session, ip } = choice;
  checkPlace(world, choice);
  if (session === undefined) return chosenPeer(world, choice, randomUUID());
  const known = world.sessions.peerOf(zone, session);
  if (known !== undefined && isStillThere(world, zone, known)) {
    if (ip === undefined || ip === known) return known;
    throw new Refusal('invalid-request', `ip: the session ${session} goes through ${known}`);
  }
  const peer = chosenPeer(world, choice, session);
  world.sessions.remember(zone, session, peer);
  world.changed();
  return peer;
}

function isStillThere({ inventory }: World, zone: string, peer: string): boolean {
  return inventory.zoneOf(peer) === zone || inventory.contents(zone).length === 0;
}

function chosenPeer({ inventory, zones, dialect }: World, choice: PeerChoice, session: string): string {
  const { zone, country, ip } = choice;
  const held = inventory.contents(zone);
  if (ip !== undefined) {
    if (held.some((address) => address.ip === ip)) return ip;
    throw new Refusal('invalid-request', `ip: ${ip} is not in the zone ${zone}`);
  }
  if (held.length === 0 && dialect.zonesWithoutIps === 'refused' && isStatic(zones.get(zone)?.type)) {
    throw new Refusal('invalid-request', `zone: ${zone} has no IPs`);
  }
  const there = held.filter(({ countries }) => country === undefined || countries[0] === country.toLowerCase());
  if (held.length > 0 && there.length === 0) {
    throw new Refusal('invalid-request', `country: the zone ${zone} has no IP in ${country}`);
  }
  const peer = there[fakeDataFrom(seedOf([zone, session])).number('peer', there.length)];
  return peer?.ip ?? fakePeer(choice, session);
}

/** Returns true for a network whose peers are the IPs of the zone. */
const isStatic = (type: string | undefined): boolean => type === 'datacenter' || type === 'isp';

/** Refuses a country that does not exist, and a city or an ASN that the zone does not have. */
function checkPlace({ account, zones }: World, { zone, country, city, ASN }: PeerChoice): void {
  if (country !== undefined && !isCountry(country)) {
    throw new Refusal('invalid-request', `country: ${country} is not a country code`);
  }
  const { type, cities, asns = account.asns } = zones.get(zone) ?? {};
  if (ASN !== undefined && !hasAsn(asns, ASN)) {
    throw new Refusal('invalid-request', `ASN: ${ASN} is not available to the zone ${zone}`);
  }
  if (city === undefined) return;
  const isSupported = cities === undefined ? !isStatic(type) && isCityName(city) : cities.includes(city.toLowerCase());
  if (!isSupported) throw new Refusal('invalid-request', `city: the zone ${zone} does not support ${city}`);
}

/** Returns true if the ASN is listed, or, without a list, if it is a number. */
function hasAsn(asns: readonly { asn: string }[] | undefined, asked: string): boolean {
  const [, number] = /^(?:AS)?(\d{1,10})$/i.exec(asked) ?? [];
  return number !== undefined && (asns === undefined || asns.some(({ asn }) => asn === number));
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const isCountry = (code: string): boolean => /^[a-z]{2}$/i.test(code) && regions.of(code.toUpperCase()) !== undefined;

const isCityName = (city: string): boolean => /^\p{L}[\p{L}\p{M} .'’-]*$/u.test(city);

/** Returns a fake IP of 100.64.0.0/10, which is not routed on the internet. A group of peers is a /24 of the network. */
function fakePeer({ zone, country, city, zip, ASN, carrier, gip }: PeerChoice, session: string): string {
  const place = gip === undefined ? [country, city, zip, ASN, carrier, session] : [gip];
  const network = fakeDataFrom(seedOf([zone, ...place]));
  const host = fakeDataFrom(seedOf([zone, session])).number('host', 256);
  return `100.${64 + network.number('second', 64)}.${network.number('third', 256)}.${host}`;
}

function seedOf(parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}
