/** Snapshots at the route of the specification, or at the other one that some services have instead. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import type { ServiceProfileInput } from '../../src/client/profile.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { failureOf } from './setup.ts';

type Routes = 'download' | 'snapshot' | 'both';

async function open(
  snapshotRoutes: Routes,
  { seconds = 0, fails = undefined as string | undefined, profile = {} as ServiceProfileInput, dialect = {} } = {},
) {
  const source = { seconds, row: { name: '{url}' }, ...(fails !== undefined && { fails }) };
  const emulator = await startEmulator({
    id: 'hl_example',
    datasets: { gd_people: source },
    dialect: { snapshotRoutes, ...dialect },
  });
  const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user, profile });
  const { snapshotId } = await client.datasets.trigger({
    datasetId: 'gd_people',
    inputs: [{ url: 'https://a.example/' }],
  });
  const asked = () =>
    emulator
      .requests()
      .slice(1)
      .map(({ path }) => path.replace(snapshotId, 'ID'));
  return {
    ...emulator,
    client,
    snapshotId,
    asked,
    async [Symbol.asyncDispose]() {
      await client.close();
      await emulator.close();
    },
  };
}

async function rowsIn({ client, snapshotId }: Awaited<ReturnType<typeof open>>): Promise<number> {
  const { rows } = await client.datasets.wait(snapshotId, { pollMs: 10, triggeredAt: new Date() });
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}

const [specified, other, progress] = [
  '/datasets/snapshots/ID/download',
  '/datasets/v3/snapshot/ID',
  '/datasets/v3/progress/ID',
];

describe('a snapshot', () => {
  it.each([
    ['download', [specified]],
    ['both', [specified]],
    ['snapshot', [specified, other]],
  ] as const)('of a service with the route %s is found with at most one more request', async (routes, paths) => {
    await using service = await open(routes);
    expect(await rowsIn(service)).toBe(1);
    expect(service.asked()).toEqual(paths);
    expect(service.client.inferredProfile()).toEqual(
      routes === 'snapshot' ? { datasets: { snapshotRoute: 'snapshot' } } : {},
    );
  });

  it('is found although a gateway answered 425 where the service has no route', async () => {
    const dialect = { results: { unknownSeconds: 1 }, unsteadyReads: 2 };
    await using service = await open('download', { dialect });
    expect(await rowsIn(service)).toBe(1);
    expect(service.asked().slice(0, 2)).toEqual([specified, other]);
    expect(service.client.inferredProfile()).toEqual({});
  });

  it('that is pinned is waited for without a download, and its failure is known at once', async () => {
    const profile = { datasets: { snapshotRoute: 'snapshot' as const } };
    await using waiting = await open('snapshot', { seconds: 60, profile });
    const found = await waiting.client.datasets.download(waiting.snapshotId);
    expect(found).toEqual({ state: 'not-ready', said: 'running' });
    expect(waiting.asked()).toEqual([progress]);
    waiting.finishRun(waiting.snapshotId);
    expect(await rowsIn(waiting)).toBe(1);
    expect(waiting.asked()).toEqual([progress, progress, other]);
    await using failing = await open('snapshot', { fails: 'no rows', profile });
    expect(await failureOf(() => rowsIn(failing))).toMatchObject({ code: 'job-failed' });
  });

  it.each([
    'download',
    'snapshot',
  ] as const)('that is unknown (%s) is not ready for a few minutes, and then an error', async (routes) => {
    await using service = await open(routes);
    const ask = (triggeredAt: Date) => service.client.datasets.download('s_unknown', { triggeredAt });
    const later = new Date(Date.now() - 6 * 60_000);
    expect(await ask(new Date())).toMatchObject({ state: 'not-ready' });
    expect(await ask(new Date())).toMatchObject({ state: 'not-ready' });
    expect(service.asked()).toHaveLength(3);
    expect(await failureOf(() => ask(later))).toMatchObject({ code: 'not-found' });
    expect(service.asked()).toHaveLength(5);
  });

  it('is cancelled where the service can do that', async () => {
    await using service = await open('both', { seconds: 60 });
    expect(await service.client.datasets.cancel(service.snapshotId)).toBe(true);
    expect(service.runs()).toMatchObject([{ state: 'cancelled' }]);
    expect(await service.client.datasets.cancel(service.snapshotId)).toBe(false);
    await using without = await open('download', { seconds: 60 });
    expect(await without.client.datasets.cancel(without.snapshotId)).toBe(false);
  });

  it('is ordered in the words that the profile pins', async () => {
    const profile = { datasets: { authorizationParameter: 'auth_header', ndjsonFormat: 'jsonl' } } as const;
    await using service = await open('snapshot', { profile });
    const { client, requests } = service;
    const endpoint = 'http://127.0.0.1:9/';
    await client.datasets.trigger({
      datasetId: 'gd_people',
      inputs: [{ url: 'https://a.example/' }],
      format: 'ndjson',
      endpoint,
      authorization: 'Bearer abc',
    });
    const { query } = requests().at(-1) ?? {};
    expect(query).toMatchObject({ format: 'jsonl', auth_header: expect.not.stringContaining('abc') });
  });
});
