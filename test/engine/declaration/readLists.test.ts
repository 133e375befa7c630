/** Lists that are fetched by URL: once each, within limits, or from a plan file. */
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Settings } from '../../../src/engine/declaration/connection.ts';
import { loadConfig } from '../../../src/engine/declaration/loadConfig.ts';
import { planAll } from '../../../src/engine/plan/planner.ts';
import { type Connections, createSession } from '../../../src/engine/run/sessionViews.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { temporaryFolder } from '../../temporary.ts';
import { shownProblems } from '../shownProblems.ts';

async function serve(answer: string | ((response: ServerResponse) => void)) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (typeof answer === 'string') response.end(answer);
    else answer(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`, requests };
}

/** Reads a declaration whose managers have this list each. */
async function load(item: string, lists: Settings['lists'] = {}, managers = ['one'], settings: Partial<Settings> = {}) {
  const folder = temporaryFolder();
  const entries = managers.map(
    (name, index) => `  ${name}:\n    url: http://127.0.0.1:2299${index}\n    whitelistIps: [${item}]\n`,
  );
  await writeFile(join(folder, 'webdata.yaml'), `managerSettings:\n${entries.join('')}`);
  return loadConfig(['webdata.yaml'], { env: {}, folder, lists, ...settings });
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

it('a list is asked for with the credentials of its URL, which nothing shows', async () => {
  const { url, requests } = await serve('10.1.0.0/16\n');
  const withUser = url.replace('//', '//reader:pa%40ss@');
  const { lists } = await load(`{ url: "${withUser}?token=s3cr3t#part" }`);
  expect(lists).toMatchObject([{ source: url, items: ['10.1.0.0/16'] }]);
  expect(requests.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
    ['/list?token=s3cr3t', `Basic ${btoa('reader:pa@ss')}`],
  ]);
  await load(`{ url: "${url}" }`);
  expect(requests[1]?.headers).not.toHaveProperty('authorization');
});

const fix = 'fix: check the URL, or name a file with a copy of the list';

it.each<[string, (response: ServerResponse) => void, string]>([
  ['fails', (response) => response.writeHead(404).end(), 'it was answered 404'],
  ['has an error', (response) => response.writeHead(500).end(), 'it was answered 500'],
  ['has no content', (response) => response.writeHead(204).end(), 'it was answered 204'],
  ['has only a part', (response) => response.writeHead(206).end('10.0.0.1'), 'it was answered 206'],
  ['has too many requests', (response) => response.writeHead(400).end(), 'it was answered 400'],
  [
    'redirects',
    (response) => response.writeHead(300, { location: '/b' }).end(),
    'it was answered 300, and redirects are not followed',
  ],
  [
    'redirects for ever',
    (response) => response.writeHead(399, { location: '/b' }).end(),
    'it was answered 399, and redirects are not followed',
  ],
  ['ends the connection', (response) => response.destroy(), 'the connection failed (UND_ERR_SOCKET)'],
])('a list is refused at its line if its server %s', async (_, answer, why) => {
  const { url, requests } = await serve(answer);
  expect(await shownProblems(() => load(`{ url: "${url}" }`))).toBe(
    `webdata.yaml:4:20: the list at ${url} was not fetched: ${why}\n  at: managerSettings.one.whitelistIps[0]\n  ${fix}`,
  );
  expect(requests).toHaveLength(1);
});

it('a list at a port that nothing may connect to is refused', async () => {
  const shown = await shownProblems(() => load('{ url: "http://127.0.0.1:1/a" }'));
  expect(shown).toContain('the list at http://127.0.0.1:1/a was not fetched: the connection failed\n');
});

it('a list is not fetched once the run is stopped', async () => {
  const { url, requests } = await serve('10.1.0.0/16\n');
  await expect(load(`{ url: "${url}" }`, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(requests).toEqual([]);
});

it.each([
  ['http://lists.example.com/a?token=x', 'http://lists.example.com/a'],
  ['ftp://u:p@127.0.0.1/a', 'ftp://127.0.0.1/a'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
])('a list is not fetched from %s', async (url, shown) => {
  expect(await shownProblems(() => load(`{ url: "${url}" }`))).toBe(
    [
      `webdata.yaml:4:20: ${shown} is not an https URL`,
      '  at: managerSettings.one.whitelistIps[0]',
      '  allowed: an https URL, or http on loopback',
      '  fix: use https, or name a file',
    ].join('\n'),
  );
});

it('a URL may use the variables of this tool, and others that are allowed', async () => {
  const { url } = await serve('10.1.0.0/16\n');
  const item = (name: string) => `{ url: "${url}?\${${name}}" }`;
  const settings = { env: { WEBDATA_TEAM: 'a', TEAM: 'b' } };
  expect((await load(item('WEBDATA_TEAM'), {}, ['one'], settings)).lists).toHaveLength(1);
  expect((await load(item('TEAM'), {}, ['one'], { ...settings, allowEnv: ['TEAM'] })).lists).toHaveLength(1);
  expect(await shownProblems(() => load(item('TEAM'), {}, ['one'], settings))).toMatchInlineSnapshot(`
    "webdata.yaml:4:20: the variable \`TEAM\` may not be used here: its value would be sent to another host
      at: managerSettings.one.whitelistIps[0]
      allowed: variables that begin with WEBDATA_ and hold no secret, and those that --allow-env names
      fix: if it belongs here, add --allow-env TEAM (in CI: WEBDATA_ALLOW_ENV=TEAM)"
  `);
});

it.each(['{ url: 5 }', '{ url: a, file: b }'])('a list is named in one way: %s', async (item) => {
  expect(await shownProblems(() => load(item))).toMatch(/the item does not name a list/);
});

it('a command is never run: the fix is a step that writes a file', async () => {
  const command = '{ command: [sh, -c, "echo 10.0.0.7 | tee ran"] }';
  expect(await shownProblems(() => load(command))).toMatchInlineSnapshot(`
    "webdata.yaml:4:20: the item does not name a list
      at: managerSettings.one.whitelistIps[0]
      allowed: { file: NAME } or { url: URL }
      fix: let a step before the plan write the output of the command to a file, and name that file"
  `);
});

it('a list that a plan file does not have is refused', async () => {
  const pinned = [
    { path: 'managerSettings.one.whitelistIps[0]', source: 'https://b.example/', fetchedAt: '', items: [] },
  ];
  expect(await shownProblems(() => load('{ url: "https://a.example/" }', { pinned }))).toMatchInlineSnapshot(`
    "webdata.yaml:4:20: the plan has no contents of the list https://a.example/
      at: managerSettings.one.whitelistIps[0]
      allowed: a plan of this declaration
      fix: plan again"
  `);
  const elsewhere = [{ ...pinned[0], path: 'managerSettings.two.whitelistIps[0]', source: 'https://a.example/' }];
  expect(await shownProblems(() => load('{ url: "https://a.example/" }', { pinned: elsewhere as never }))).toContain(
    'the plan has no contents of the list https://a.example/',
  );
});

it('a list with lines that cannot be read is refused, and its text is not shown', async () => {
  const shown = async (text: string) => shownProblems(async () => load(`{ url: "${(await serve(text)).url}" }`));
  const whole = await shown('10.0.0.1\n<b>secret</b>\n');
  expect(whole.replace(/:\d+\/list/, '/list')).toMatchInlineSnapshot(`
    "webdata.yaml:4:20: http://127.0.0.1/list has 1 line that cannot be read: line 2
      at: managerSettings.one.whitelistIps[0]
      allowed: an address or a network in each line; comments begin with #
      fix: correct the list where it is kept"
  `);
  expect(await shown('a b\n'.repeat(5))).toContain('/list has 5 lines that cannot be read: lines 1, 2, 3, 4, 5\n');
  expect(await shown('a b\n'.repeat(7))).toContain('cannot be read: lines 1, 2, 3, 4, 5 and 2 more\n');
  expect(await shown('10.0.0.9-10.0.0.1\n')).toContain('has 1 line that cannot be read: line 1\n');
  expect((await shown('# none\n')).replace(/:\d+\/list/, '/list')).toMatchInlineSnapshot(`
    "webdata.yaml:4:20: http://127.0.0.1/list has no items
      at: managerSettings.one.whitelistIps[0]
      allowed: one item per line
      fix: add the items, or remove the file from the list; for an empty list, write []"
  `);
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
