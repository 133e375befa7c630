/** What a diagnosis finds out about the service with reads alone. */
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/sync/config/config.ts';
import { serviceChecks } from '../../../src/sync/doctor/serviceChecks.ts';
import type { Run } from '../../../src/sync/run/journal.ts';
import type { Session } from '../../../src/sync/sessionViews.ts';
import { allocationId, journaled, migrate, refusal, run, seen } from '../../report/samples.ts';

const origin = 'http://service.example';
const config = { declared: [], service: { url: origin, apiKey: 'key' } } as unknown as Config;

async function checks(zones: Record<string, string[]>, runs: readonly Run[] = []) {
  const session = {
    client: () => ({
      origin,
      zones: {
        recentIps: async () => Object.fromEntries(Object.keys(zones).map((zone) => [zone, []])),
        listing: async (zone: string) => ({ ips: zones[zone]?.map((country) => ({ country })) }),
        countries: async () => ({ us: 1, de: 2 }),
      },
    }),
  } as unknown as Session;
  const found = await serviceChecks(config, session, runs);
  return (name: string) =>
    found.filter((check) => check.name.startsWith(name)).map(({ name: its, ...check }) => [its, check]);
}

describe('a zone', () => {
  it('is noted if it has IPs without a known country', async () => {
    const found = await checks({ a: ['us', '', ''], b: ['us'] });
    expect(found('zone')).toEqual([
      ['zone a', { result: 'note', text: '3 IPs, 2 without a known country' }],
      ['zone b', { result: 'ok', text: '1 IP' }],
    ]);
    expect(found('countries')).toEqual([['countries', { result: 'ok', text: 'numbers by country: 2 in a' }]]);
  });

  it('is one of the first 10', async () => {
    const zones = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`z${index}`, ['us']]));
    expect((await checks(zones))('zone')).toHaveLength(10);
    expect((await checks({}))('countries')).toEqual([]);
  });
});

describe('the role of the key', () => {
  const move = migrate('pricing', 'checkout', ['192.0.2.10']);
  const at = '2026-07-01T10:00:00.000Z';
  const moved = (id: string) =>
    run(id, [journaled(allocationId, move, { answered: { at }, seen: seen(move) })], { origin });
  const forbidden = (id: string) =>
    run(id, [journaled(allocationId, move, { failed: { ...refusal, code: 'forbidden' } })], { origin });
  const roleAfter = async (...runs: Run[]) =>
    (await checks({ a: [] }, runs))('')
      .map(([, check]) => check as { result: string; text: string })
      .find(({ text }) => text.includes('may read zones'));

  it('is as the last paid call of this service shows it', async () => {
    expect(await roleAfter()).toMatchObject({ result: 'ok', text: expect.stringContaining('shows neither the role') });
    expect(await roleAfter(forbidden('aaaa1111'), moved('bbbb2222'))).toMatchObject({
      result: 'ok',
      text: expect.stringContaining('the last move that the service accepted was in run bbbb2222'),
    });
    expect(await roleAfter(moved('bbbb2222'), forbidden('aaaa1111'))).toMatchObject({
      result: 'note',
      text: expect.stringContaining('the service last refused a move in run aaaa1111'),
    });
    expect(await roleAfter({ ...forbidden('aaaa1111'), origin: 'http://other.example' })).toMatchObject({
      result: 'ok',
    });
  });
});
