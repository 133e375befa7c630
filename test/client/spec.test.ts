/** The client against the shapes of the specification (`test/spec`): exactly the documented request, exactly the documented values. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { companyProfile } from '../../src/client/areas/jobs/companyProfile.ts';
import type { KnownDetailId } from '../../src/client/areas/search/searchShapes.ts';
import type { Misfit } from '../../src/client/reading/misfits.ts';
import { loopback, type Reply } from './loopback.ts';
import { clientOf, failureOf, managerOf } from './setup.ts';
import { cases, places, profile } from './specCases.ts';
import { specFile } from './specFile.ts';

const peerAt = (url: string) => ({ client: clientOf(url, { profile }), manager: managerOf(url) });

test.each(Object.entries(cases))('%s', async (name, expected) => {
  const { request, answer } = specFile(name, places);
  const server = await loopback({ status: answer.status, body: answer.body ?? { anything: 1 } });
  const call = () => expected.call(peerAt(server.url));

  if (expected.failure === undefined) {
    expect(await call()).toEqual('value' in expected ? expected.value : answer.body);
  } else {
    expect(await failureOf(call)).toMatchObject({ code: expected.failure, effect: 'none' });
  }
  if (expected.answerOnly) return;
  expect(server.requests).toEqual([
    { ...request, body: request.body, headers: expect.objectContaining(request.headers) },
  ]);
});

test('every file of the specification has a test case', () => {
  const files = readdirSync(new URL('../spec', import.meta.url)).filter((file) => file.endsWith('.json'));
  expect(Object.keys(cases).sort()).toEqual(files.map((file) => file.replace(/\.json$/, '')).sort());
});

test('the manager is never sent the API key, and no authorization at all without a token', async () => {
  const server = await loopback({ body: {} });
  await managerOf(server.url).recentStats();
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});

type Path = (string | number)[];

/** Where the documented values of an answer stand: every text, number and boolean, and every empty list. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (value === null) return [];
  if (typeof value !== 'object' || (Array.isArray(value) && value.length === 0)) return [path];
  const inside: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inside.flatMap(([key, item]) => placesIn(item, [...path, key]));
}

/** A copy of the answer with something at this place that no documented type allows. */
function wrongAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return Array.isArray(value) ? 'wrong' : { wrong: true };
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = rest.length === 0 ? { wrong: true } : wrongAt(copy[key], rest);
  return copy;
}

/** The manager's password is dropped before anything looks at it. */
const unchecked = ['password'];

/** What a call cannot do without: everything else of another type is kept and listed. */
const needed: Record<string, RegExp> = {
  collectorTrigger: /^collection_id$/,
  datasetTrigger: /^snapshot_id$/,
  zoneIps: /\.ip$/,
  zoneIpsPerCountry: /^..$/,
  zoneRecentIps: /^\w+$/,
  zoneIpsMigrate: /^$/,
  getAsn: /\.asn$/,
  managerSettings: /^$/,
  searchPage: /^$/,
  reviews: /^$/,
};

describe('a value of another type is reported with its path', () => {
  test.each(Object.entries(needed))('%s', async (name, isNeeded) => {
    const { answer } = specFile(name, places);
    let reply: Reply = {};
    const misfits: string[] = [];
    const onMisfit = ({ path }: Misfit) => void misfits.push(path);
    const server = await loopback(() => reply);
    const peer = {
      client: clientOf(server.url, { profile, onMisfit }),
      manager: managerOf(server.url, { onMisfit }),
    };
    const faults = placesIn(answer.body).filter((path) => !unchecked.includes(path.join('.')));
    expect(faults.length).toBeGreaterThan(0);
    for (const path of faults) {
      reply = { body: wrongAt(answer.body, path) };
      const place = z.core.toDotPath(path);
      const call = cases[name]?.call(peer) ?? Promise.resolve();
      if (isNeeded.test(place)) {
        const { code, message } = await failureOf(call);
        expect([code, message]).toEqual(['unexpected-answer', expect.stringContaining(`${path.at(-1)}`)]);
        expect(message).toContain('{"wrong":true}');
      } else {
        await call;
        expect(misfits.splice(0)).toEqual([place]);
      }
    }
  });

  test('a company profile', () => {
    const [record] = specFile('snapshotDownload', places).answer.body as unknown[];
    expect(companyProfile.parse(record)).toEqual(record);
    const found = placesIn(record).map((path) =>
      companyProfile.safeParse(wrongAt(record, path)).error?.issues.map((issue) => issue.path),
    );
    expect(found).toEqual(placesIn(record).map((path) => [path]));
    expect(Object.keys(companyProfile.shape).sort()).toEqual(Object.keys(record as object).sort());
    for (const value of ['a text', ['a list'], { an: 'object' }]) {
      const valued = { specialties: value, stock_info: value };
      expect(companyProfile.parse(valued)).toEqual(valued);
    }
  });
});

test('the ids of review details, each with the type of its value', async () => {
  const known: Record<KnownDetailId, 'number' | 'string'> = {
    HOTELS_ASPECT_ROOMS: 'number',
    HOTELS_ASPECT_SERVICES: 'number',
    HOTELS_ASPECT_LOCATION: 'number',
    HOTELS_PILOT_TRIP_TYPE: 'string',
    HOTELS_PILOT_TRAVEL_GROUP_TYPE: 'string',
    HOTELS_VIBE: 'string',
    HOTELS_TIPS_TOPICS_ROOMS: 'string',
    HOTELS_TIPS_TOPICS_NEARBY_ACTIVITIES: 'string',
    HOTELS_TIPS_TOPICS_SAFETY: 'string',
    HOTELS_TIPS_TOPICS_WALKABILITY: 'string',
  };
  const server = await loopback({ body: specFile('reviews', places).answer.body });
  const { reviews } = await clientOf(server.url, { profile }).search.reviews({ zone: 'results', fid: '0x1:0x2' });
  expect(Object.fromEntries(reviews[0]?.details.map(({ id, value }) => [id, typeof value]) ?? [])).toEqual(known);
});
