/** Lists that are fetched by URL: once each, within limits, or from a plan file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ProblemError } from '../../../src/diagnostics/problem.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import type { Settings } from '../../../src/sync/config/config.ts';
import { loadConfig } from '../../../src/sync/config/loadConfig.ts';
import { planAll } from '../../../src/sync/plan/planner.ts';
import { type Connections, createSession } from '../../../src/sync/sessionViews.ts';

async function serve(text: string) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`, requests };
}

/** Reads a declaration whose managers have this list each. */
async function load(item: string, lists: Settings['lists'] = {}, managers = ['one']) {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-lists-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const entries = managers.map(
    (name, index) => `  ${name}:\n    url: http://127.0.0.1:2299${index}\n    whitelistIps: [${item}]\n`,
  );
  await writeFile(join(folder, 'webdata.yaml'), `managerSettings:\n${entries.join('')}`);
  return loadConfig(['webdata.yaml'], { env: {}, folder, lists });
}

const entriesOf = ({ declared }: Awaited<ReturnType<typeof load>>) =>
  declared.map(({ spec }) => (spec as { whitelistIps: string[] }).whitelistIps);

async function problemOf(loading: Promise<unknown>): Promise<string | undefined> {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemError)) throw error;
  return error.problems[0]?.found;
}

it('a list is fetched once for all that name it, as plain text', async () => {
  const { url, requests } = await serve('10.1.0.0/16\n');
  const config = await load(`{ url: "${url}" }`, {}, ['one', 'two']);
  expect(entriesOf(config)).toEqual([['10.1.0.0/16'], ['10.1.0.0/16']]);
  expect(requests.map(({ headers }) => headers.accept)).toEqual(['text/plain']);
  expect(config.lists.map(({ path }) => path)).toEqual([
    'managerSettings.one.whitelistIps[0]',
    'managerSettings.two.whitelistIps[0]',
  ]);
});

it('a list is not fetched for commands that need none, and comes from a plan file if there is one', async () => {
  const { url, requests } = await serve('10.1.0.0/16\n');
  const skipped = await load(`{ url: "${url}" }`, { isSkipped: true });
  expect([entriesOf(skipped), skipped.skippedLists, skipped.lists]).toEqual([[[]], 1, []]);
  const path = 'managerSettings.one.whitelistIps[0]';
  const pinned = [{ path, source: url, fetchedAt: '2026-07-01T10:00:00.000Z', items: ['10.2.0.0/16'] }];
  for (const isSkipped of [true, false]) {
    const config = await load(`{ url: "${url}" }`, { isSkipped, pinned });
    expect([entriesOf(config), config.skippedLists, config.lists]).toEqual([[['10.2.0.0/16']], 0, pinned]);
  }
  expect(requests).toHaveLength(0);
});

it('a list has at most 1 MiB', async () => {
  const { url } = await serve('10.1.0.0/16 # spaces\n'.repeat(60_000));
  expect(await problemOf(load(`{ url: "${url}" }`))).toBe(
    `the list at ${url} was not fetched: it has more than 1024 KiB`,
  );
});

it('a plan names the lists of each resource', async () => {
  const { url } = await serve('10.1.0.0/16\n10.2.0.0/16\n');
  const config = await load(`{ url: "${url}" }`, {}, ['one', 'two']);
  const manager = (its: string) => ({
    url: its,
    readSettings: async () => ({ settings: { whitelistIps: [] }, by: 'get' }),
    inferredProfile: () => ({}),
  });
  const planned = await planAll(config, createSession(config, { manager } as unknown as Connections));
  expect(planned.map(({ declared }) => declared.definition)).toEqual([managerSettings, managerSettings]);
  for (const { plan } of planned) {
    expect(plan.notes).toEqual([
      {
        code: 'list-fetched',
        text: expect.stringMatching(/^whitelistIps\[0\]: 2 lines from http:\S+\/list, fetched \S+Z$/),
        path: ['whitelistIps', 0],
      },
    ]);
  }
});
