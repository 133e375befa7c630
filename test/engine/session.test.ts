/** The connections of a session: opened once and only when needed, with secrets for the configured servers only. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readYaml } from '../../src/base/yaml/source.ts';
import { type Config, configOf } from '../../src/engine/declaration/config.ts';
import { type ConnectingOptions, connect } from '../../src/engine/run/connections.ts';
import { createSession, type Session } from '../../src/engine/run/session.ts';
import { managerSettings } from '../../src/kinds/managerSettings/kind.ts';
import { accountView } from '../../src/kinds/seam/accountView.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { Views } from '../../src/kinds/seam/views.ts';
import { migrate } from '../report/samples.ts';

function configWith(yaml = '', env: Record<string, string> = {}, folder = '.'): Config {
  return configOf(readYaml(yaml, 'w.yaml'), { env, folder });
}

function sessionOf(config: Config, options: Partial<ConnectingOptions> = {}) {
  const session = createSession(config, connect(config, { readOnly: true, retry: { retries: 0 }, ...options }));
  onTestFinished(() => session.close());
  return session;
}

function contextOf(session: Session, name = 'local'): Context {
  return session.contextFor({ definition: managerSettings as never, name });
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

  it('is closed with the session', async () => {
    const { url } = await server();
    const session = sessionOf(configWith('', { ...env, WEBDATA_API_URL: url }));
    const client = session.client();
    await session.close();
    await expect(client.zones.recentIps('*')).rejects.toThrow();
    await sessionOf(configWith()).close();
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
    const session = sessionOf(configWith('', { WEBDATA_MANAGER_URL: url }));
    const manager = session.manager(undefined);
    await session.close();
    await expect(manager.readSettings()).rejects.toThrow();
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
});
