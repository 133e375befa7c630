/**
 * The answers of the specification, changed anywhere: what a command does not need may be missing, null, of another type or new, and
 * changes nothing; what it needs is an error that shows what came.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Manager } from '../../src/client/areas/manager/manager.ts';
import type { Client } from '../../src/client/client.ts';
import { shown } from '../../src/client/reading/misfits.ts';
import { loopback, type Reply } from './loopback.ts';
import { clientOf, failureOf, managerOf } from './setup.ts';
import { cases, places, profile } from './specCases.ts';
import { specFile } from './specFile.ts';

interface Shape {
  /** What a command takes from the answer. */
  outcome: (peer: { client: Client; manager: Manager }) => Promise<unknown>;
  /** Paths, joined by dots, of what it needs. */
  needed: RegExp;
  /** Paths that are part of the outcome and may change it without an error. */
  counted?: RegExp;
  /** Its names are those of zones, of which null is one without IPs. */
  isByZone?: true;
}

const migration = { from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] };
const call = (name: string) => cases[name]?.call ?? (() => Promise.reject(new Error(name)));

const shapes: Record<string, Shape> = {
  zoneIps: {
    outcome: async ({ client }) => (await client.zones.ips('checkout')).map(({ ip }) => ip),
    needed: /^(ips|ips\.\d+|ips\.\d+\.ip)$/,
  },
  zoneIpsPerCountry: { outcome: call('zoneIpsPerCountry'), needed: /^(us|de)$/ },
  zoneRecentIps: {
    outcome: async ({ client }) => Object.keys(await client.zones.recentIps('*')),
    needed: /^$/,
    counted: /^[^.]*$/,
    isByZone: true,
  },
  zoneIpsMigrate: {
    outcome: async ({ client }) => {
      const { from, to } = await client.zones.migrate(migration);
      return { from, to };
    },
    needed: /^$/,
  },
  getAsn: {
    outcome: async ({ client }) => (await client.reseller.asns('checkout')).map(({ asn }) => asn),
    needed: /^(\d+|\d+\.asn)$/,
  },
  collectorTrigger: {
    outcome: async (peer) => ((await call('collectorTrigger')(peer)) as { collectionId: string }).collectionId,
    needed: /^collection_id$/,
  },
  datasetTrigger: { outcome: call('datasetTrigger'), needed: /^snapshot_id$/ },
  managerSettings: {
    outcome: async ({ manager }) => (await manager.readSettings()).settings.logs,
    needed: /^$/,
    counted: /^logs$/,
  },
  searchPage: {
    outcome: async ({ client }) => {
      const { organic, images } = await client.search.page({ zone: 'results', query: 'grand hotel' });
      return [organic.length, images.length];
    },
    needed: /^$/,
    counted: /^(organic|images)$/,
  },
  reviews: {
    outcome: async ({ client }) => {
      const { reviews } = await client.search.reviews({ zone: 'results', fid: '0x1:0x2' });
      return reviews.length;
    },
    needed: /^$/,
    counted: /^reviews$/,
  },
};

type Path = (string | number)[];

/** Every place of a value below its top. */
function placesIn(value: unknown, path: Path = []): Path[] {
  const inside: [string | number, unknown][] =
    typeof value !== 'object' || value === null
      ? []
      : Array.isArray(value)
        ? [...value.entries()]
        : Object.entries(value);
  return inside.flatMap(([key, item]) => [[...path, key], ...placesIn(item, [...path, key])]);
}

type Change = { kind: 'drop' } | { kind: 'set'; value: unknown };

/** A copy with the change at the path; an item of a list is set to null where it would be dropped. */
function changed(value: unknown, [key = '', ...rest]: Path, change: Change): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (rest.length > 0) copy[key] = changed(copy[key], rest, change);
  else if (change.kind === 'set') copy[key] = change.value;
  else if (Array.isArray(copy)) copy[key as number] = null;
  else delete copy[key];
  return copy;
}

/** No text: one of other letters in a database is an error, as it would decide where IPs go. */
const otherType = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -5, max: 500 }),
  fc.boolean(),
  fc.constant([]),
  fc.constant({ other: [1] }),
  fc.constant([{ deep: { er: null } }]),
);

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>({ kind: 'drop' }),
  otherType.map((value): Change => ({ kind: 'set', value })),
);

async function peerWith(reply: () => Reply) {
  const server = await loopback(reply);
  return { client: clientOf(server.url, { profile }), manager: managerOf(server.url) };
}

describe.each(Object.entries(shapes))('%s', (name, { outcome, needed, counted = /^$/, isByZone }) => {
  const { body } = specFile(name, places).answer;
  const all = placesIn(body);
  const isFree = (path: Path) => !needed.test(path.join('.')) && !counted.test(path.join('.'));
  const free = all.filter(isFree);

  if (free.length > 0)
    test('optional values may be missing, null or of another type', async () => {
      let reply: Reply = { body };
      const peer = await peerWith(() => reply);
      const usual = await outcome(peer);
      const property = fc.asyncProperty(fc.constantFrom(...free), anyChange, async (path, change) => {
        reply = { body: changed(body, path, change) };
        expect(await outcome(peer)).toEqual(usual);
      });
      await fc.assert(property, { numRuns: 60 });
    });

  const objects = [[], ...all].filter((path) => {
    const value = path.reduce<unknown>((inner, key) => Reflect.get(inner as object, key), body);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  });

  if (objects.length > 0)
    test('unknown fields may appear anywhere', async () => {
      let reply: Reply = { body };
      const peer = await peerWith(() => reply);
      const usual = await outcome(peer);
      const added = fc.oneof(
        otherType.filter((value) => typeof value !== 'object' || (value === null && !isByZone)),
        fc.constant('a text'),
      );
      const property = fc.asyncProperty(fc.constantFrom(...objects), added, async (path, value) => {
        reply = { body: changed(body, [...path, 'a_new_field'], { kind: 'set', value }) };
        expect(await outcome(peer)).toEqual(usual);
      });
      await fc.assert(property, { numRuns: 40 });
    });

  const strict = all.filter((path) => needed.test(path.join('.')));

  if (strict.length > 0)
    test('a required value that cannot be read is an error that shows the answer', async () => {
      let reply: Reply = { body };
      const peer = await peerWith(() => reply);
      const wrong = fc.constantFrom<unknown>({ other: [1] }, [{ deep: { er: null } }], true);
      const property = fc.asyncProperty(fc.constantFrom(...strict), wrong, async (path, value) => {
        reply = { body: changed(body, path, { kind: 'set', value }) };
        const { code, message } = await failureOf(outcome(peer));
        expect(code).toBe('unexpected-answer');
        // An entry of a list may be shown without the brackets of the list that it came in.
        expect(message).toContain(shown(Array.isArray(value) ? value[0] : value));
      });
      await fc.assert(property, { numRuns: 30 });
    });
});

describe('what protects is strict', () => {
  const entry = { ip: '192.0.2.10', geo_db_1: 'us', ext: { geo_db_2: 'us' } };

  test('a wrong country code prints a profile to paste', async () => {
    const peer = await peerWith(() => ({ body: { ips: [{ ...entry, geo_db_1: 'usa' }] } }));
    expect((await failureOf(peer.client.zones.ips('checkout'))).fix).toBe(
      'If `geo_db_1` is not a geolocation database of this service, name the actual ones: service: { profile: { geolocation: { first: geo_db_2, others: [geo_db_3, geo_db_4] } } }',
    );
  });
});
