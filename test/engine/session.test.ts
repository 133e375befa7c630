/** The connections of a session: opened once and only when needed, with secrets for the configured servers only. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../src/base/yaml/source.ts';
import { type Config, configOf } from '../../src/engine/declaration/config.ts';
import { openSession, type SessionOptions } from '../../src/engine/run/session.ts';
import { createSession } from '../../src/engine/run/sessionViews.ts';
import { accountView } from '../../src/kinds/accountView.ts';
import type { Context } from '../../src/kinds/context.ts';
import { managerSettings } from '../../src/kinds/managerSettings/kind.ts';
import type { Views } from '../../src/kinds/views.ts';
import { webhookDelivery } from '../../src/kinds/webhookDelivery/kind.ts';
import { migrate, settingsCall } from '../report/samples.ts';

function configWith(yaml = '', env: Record<string, string> = {}, folder = '.'): Config {
  return configOf(readYaml(yaml, 'w.yaml'), { env, folder });
}

function sessionOf(config: Config, options: SessionOptions = {}) {
  const session = openSession(config, { retry: { retries: 0 }, ...options });
  onTestFinished(() => session.close());
  return session;
}

function contextOf(session: ReturnType<typeof openSession>, name = 'local'): Context {
  return session.contextFor({ definition: managerSettings as never, name });
}

function problemsOf(action: () => unknown): readonly Problem[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
  return [];
}

/** A server that answers settings, and remembers the tokens that it was sent. */
async function server() {
  const tokens: (string | undefined)[] = [];
  const its = createServer(({ headers }, response) => {
    tokens.push(headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.end('{"logs": 1}');
  });
  await new Promise<void>((resolve) => its.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    its.closeAllConnections();
    its.close();
  });
  return { url: `http://127.0.0.1:${(its.address() as AddressInfo).port}`, tokens };
}

describe('the client of the service', () => {
  const env = { WEBDATA_API_URL: 'http://127.0.0.1:1', WEBDATA_API_KEY: 'key-0123456789' };

  it('is opened once', () => {
    const session = sessionOf(configWith('', env));
    expect(session.client()).toBe(session.client());
    expect(session.client().origin).toBe('http://127.0.0.1:1');
    expect(contextOf(session).client()).toBe(session.client());
  });

  it('needs a URL and a key', () => {
    expect(problemsOf(() => sessionOf(configWith()).client())).toEqual([
      {
        affects: [],
        code: 'no-api-url',
        found: 'the URL of the service is not known',
        fix: 'set service.url in the file, WEBDATA_API_URL, or pass --api-url',
        fixFor: {
          pulumi: 'run `pulumi config set webdata:apiUrl URL`',
          pulumiProvider: 'set `apiUrl` of the provider',
          terraform: 'set `url` of the provider, or WEBDATA_API_URL',
        },
      },
    ]);
  });

  it('is closed with the session', async () => {
    const { url } = await server();
    const session = openSession(configWith('', { ...env, WEBDATA_API_URL: url }), { retry: { retries: 0 } });
    const client = session.client();
    await session.close();
    await expect(client.zones.recentIps('*')).rejects.toThrow();
    await openSession(configWith(), {}).close();
  });
});

describe('a manager', () => {
  const token = 'manager-token-0123456789';

  it('is the configured one by default, and opened once for each URL', async () => {
    const session = sessionOf(configWith('', { WEBDATA_MANAGER_URL: 'http://127.0.0.1:1' }));
    expect(session.manager(undefined).url).toBe('http://127.0.0.1:1');
    expect(session.manager(undefined)).toBe(session.manager('http://127.0.0.1:1'));
    expect(session.manager('http://127.0.0.1:2')).not.toBe(session.manager(undefined));
    expect(contextOf(session).manager(undefined)).toBe(session.manager(undefined));
  });

  it('needs a URL', () => {
    expect(problemsOf(() => sessionOf(configWith()).manager(undefined))).toEqual([
      {
        affects: [],
        code: 'no-manager-url',
        found: 'the URL of the proxy manager is not known',
        fix: 'set manager.url in the file, or `url` of the resource, WEBDATA_MANAGER_URL, or pass --manager-url',
        fixFor: {
          pulumi: 'run `pulumi config set webdata:managerUrl URL`, or set `url` of the resource',
          pulumiProvider: 'set `managerUrl` of the provider, or `url` of the resource',
          terraform: 'set `manager_url` of the provider, or `url` of the resource, or WEBDATA_MANAGER_URL',
        },
      },
    ]);
  });

  it('gets the token only if it is the configured one', async () => {
    const [own, other] = [await server(), await server()];
    const env = { WEBDATA_MANAGER_URL: `${own.url}/`, WEBDATA_MANAGER_TOKEN: token };
    const session = sessionOf(configWith('', env));
    await session.manager(own.url).readSettings();
    await session.manager(other.url).readSettings();
    expect(own.tokens).toEqual([`Bearer ${token}`]);
    expect(other.tokens).toEqual([undefined]);
  });

  it('gets no token if none is configured as the manager', async () => {
    const other = await server();
    const session = sessionOf(configWith('', { WEBDATA_MANAGER_TOKEN: token }));
    await session.manager(other.url).readSettings();
    expect(other.tokens).toEqual([undefined]);
    expect(() => session.manager('no URL')).toThrow(/URL/);
  });

  it('has the profile of the declaration', async () => {
    const { url, tokens } = await server();
    const yaml = 'service: { profile: { manager: { tokenHeader: { name: Authorization, scheme: Token } } } }\n';
    const session = sessionOf(configWith(yaml, { WEBDATA_MANAGER_URL: url, WEBDATA_MANAGER_TOKEN: token }));
    await session.manager(undefined).readSettings();
    expect(tokens).toEqual([`Token ${token}`]);
  });

  it('is closed with the session', async () => {
    const { url } = await server();
    const session = openSession(configWith('', { WEBDATA_MANAGER_URL: url }), { retry: { retries: 0 } });
    const manager = session.manager(undefined);
    await session.close();
    await expect(manager.readSettings()).rejects.toThrow();
  });
});

describe('the trigger service', () => {
  it('needs a URL and a token, and is opened once', () => {
    expect(problemsOf(() => sessionOf(configWith()).triggers())).toEqual([
      {
        affects: [],
        code: 'no-triggers-url',
        found: 'the URL of the trigger service is not known',
        fix: 'set triggers.url in the file, or WEBDATA_TRIGGERS_URL',
        fixFor: {
          pulumi: 'run `pulumi config set webdata:triggersUrl URL`',
          pulumiProvider: 'set `triggersUrl` of the provider',
          terraform: 'set `triggers_url` of the provider, or WEBDATA_TRIGGERS_URL',
        },
      },
    ]);
    const url = { WEBDATA_TRIGGERS_URL: 'http://127.0.0.1:1' };
    expect(problemsOf(() => sessionOf(configWith('', url)).triggers())).toMatchObject([
      {
        affects: [],
        code: 'no-triggers-token',
        found: 'the token of the trigger service is missing',
        fix: 'set WEBDATA_TRIGGERS_TOKEN to the token that the trigger service was started with',
      },
    ]);
    const session = sessionOf(configWith('', { ...url, WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789' }));
    expect(session.triggers()).toBe(session.triggers());
    expect(session.triggers().url).toBe('http://127.0.0.1:1');
  });
});

describe('a file that the declaration names', () => {
  it('is read from the folder of the declaration', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-session-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'inside'));
    await writeFile(join(folder, 'inside', 'rows.csv'), 'url\nä\n');
    const { readFile } = contextOf(sessionOf(configWith('', {}, folder)));
    expect(await readFile('inside/rows.csv')).toBe('url\nä\n');
    const unreadable = (file: string, why: string) => ({
      problems: [
        {
          code: 'unreadable-file',
          path: ['inputs', 'file'],
          found: `${file} can't be read: ${why}`,
          allowed: 'a file in the folder of the declaration, or below it',
          fix: 'correct the name, or put the file there',
        },
      ],
    });
    await expect(readFile('none.csv')).rejects.toMatchObject(unreadable('none.csv', 'the file does not exist'));
    await expect(readFile('inside')).rejects.toMatchObject(unreadable('inside', 'it is a folder'));
  });
});

describe('the context of a resource', () => {
  const yaml = `name: acme
managerSettings:
  local: { url: "http://m:1", logs: 1 }
  other: { url: "http://m:2", logs: 2 }
webhookDeliveries: { local: { endpoint: "https://hooks.example.com/x" } }
`;

  it('has the specs of the same kind beside its own, the owner and the permissions of the run', () => {
    const config = configWith(yaml);
    const overrides = { allowMoves: 3 };
    const signal = new AbortController().signal;
    const context = contextOf(sessionOf(config, { overrides, parallelism: 2, signal }));
    expect(context.others).toEqual([expect.objectContaining({ logs: 2 })]);
    expect(context.name).toBe('local');
    expect(context.owner()).toBe('acme');
    expect([context.overrides, context.parallelism, context.signal]).toEqual([overrides, 2, signal]);
    const delivery = sessionOf(config).contextFor({ definition: webhookDelivery as never, name: 'none' });
    expect(delivery.others).toHaveLength(1);
    expect([delivery.overrides, delivery.parallelism, delivery.signal]).toEqual([{}, 4, undefined]);
  });

  it('without an owner names what is missing', () => {
    expect(problemsOf(() => contextOf(sessionOf(configWith())).owner())).toMatchObject([
      { code: 'no-owner', found: 'resources of the trigger service need an owner, but the file has no `name`' },
    ]);
  });

  it('is read-only without a recorder', () => {
    const session = sessionOf(configWith());
    expect(() => contextOf(session).recorder.sending(settingsCall)).toThrow(
      new TypeError('a read-only context cannot send calls'),
    );
    const recorder = { sending: async () => ({}) as never };
    const isPlanned = () => true;
    const writing = session.contextFor({ definition: managerSettings as never, name: 'x' }, { recorder, isPlanned });
    expect([writing.recorder, writing.isPlanned]).toEqual([recorder, isPlanned]);
  });

  it('has the facts of earlier runs', () => {
    const facts = new Map([['deleted ports of m', new Set(['1'])]]);
    const context = contextOf(sessionOf(configWith(), { facts }));
    expect(context.facts('deleted ports of m')).toEqual(new Set(['1']));
    expect(context.facts('others')).toEqual(new Set());
    expect(contextOf(sessionOf(configWith())).facts('others')).toEqual(new Set());
  });

  it('sleeps until the run is aborted', async () => {
    const controller = new AbortController();
    const context = contextOf(sessionOf(configWith(), { signal: controller.signal }));
    await context.sleep(1);
    const sleeping = context.sleep(60_000);
    controller.abort();
    await expect(sleeping).rejects.toThrow(/aborted/);
  });
});

describe('another session', () => {
  const listings = (calls: string[]) => ({
    zones: {
      listing: async (zone: string) => {
        calls.push(zone);
        const ips = zone === 'pricing' ? ['192.0.2.1'] : [];
        return { ips: ips.map((ip) => ({ ip, country: 'us', geolocation: {} })), names: {} };
      },
    },
  });
  const connections = (calls: string[]) => ({
    client: () => listings(calls) as never,
    manager: () => ({ url: 'first' }) as never,
    triggers: () => ({ url: 'first' }) as never,
    readFile: async (name: string) => `text of ${name}`,
    sleep: async () => undefined,
    close: async () => void calls.push('closed'),
  });
  const move = migrate('pricing', 'checkout', ['192.0.2.1']);
  const has = async ({ view }: Views, zone: string) =>
    (await view(accountView).list(['pricing', 'checkout'])).get(zone)?.has('192.0.2.1');

  it('with a fresh account reads it again', async () => {
    const calls: string[] = [];
    const session = createSession(configWith(), connections(calls));
    expect(await has(session, 'pricing')).toBe(true);
    expect(await has(session, 'pricing')).toBe(true);
    expect(calls.toSorted()).toEqual(['checkout', 'pricing']);
    const fresh = session.withFreshAccount();
    fresh.view(accountView).expect(move);
    expect(await has(fresh, 'checkout')).toBe(true);
    expect(await has(contextOf(fresh as never), 'checkout')).toBe(true);
    expect(await has(session, 'checkout')).toBe(false);
    expect(calls).toHaveLength(4);
    expect(fresh.view(accountView).recentMoves).toBe(session.view(accountView).recentMoves);
  });

  it('with other declared resources has the same listings, without planned calls', async () => {
    const calls: string[] = [];
    const config = configWith('managerSettings: { local: { url: "http://m:1", logs: 1 } }\n');
    const session = createSession(configWith(), connections(calls));
    await has(session, 'pricing');
    session.view(accountView).expect(move);
    const other = session.withDeclared(config.declared);
    expect(await has(other, 'pricing')).toBe(true);
    expect(calls).toHaveLength(2);
    expect(contextOf(other as never, 'second').others).toEqual([expect.objectContaining({ logs: 1 })]);
    expect(contextOf(session as never, 'second').others).toEqual([]);
  });

  it('on other servers keeps the declaration, permissions and facts, and has more facts', async () => {
    const config = configWith('name: acme\nservice: { profile: { settleSeconds: 7 } }\n');
    const facts = new Map([
      ['a', new Set(['1'])],
      ['b', new Set(['2'])],
    ]);
    const calls: string[] = [];
    const session = createSession(config, connections(calls), {
      overrides: { forcePorts: true },
      parallelism: 3,
      facts,
    });
    expect(session.view(accountView).waitBudgetMs).toBe(7000);
    const { readFile: _, sleep, ...servers } = connections([]);
    const second = session.onServers({ ...servers, manager: () => ({ url: 'second' }) as never }, [
      { topic: 'b', items: ['3'] },
      { topic: 'c', items: ['4'] },
    ]);
    expect(second.view(accountView).waitBudgetMs).toBe(0);
    expect(second.manager(undefined).url).toBe('second');
    const context = contextOf(second as never);
    expect([context.owner(), context.overrides, context.parallelism]).toEqual(['acme', { forcePorts: true }, 1]);
    expect(await context.readFile('x')).toBe('text of x');
    expect(['a', 'b', 'c', 'd'].map((topic) => [...context.facts(topic)])).toEqual([['1'], ['2', '3'], ['4'], []]);
    expect([...contextOf(session as never).facts('b')]).toEqual(['2']);
    const third = session.onServers(servers);
    expect([...contextOf(third as never).facts('b')]).toEqual(['2']);
    await session.close();
    expect(calls).toEqual(['closed']);
  });
});
