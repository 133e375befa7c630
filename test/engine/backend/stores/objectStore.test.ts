/** What every store of shared backends keeps to, whatever happens to it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openObjectStore } from '../../../../src/engine/backend/store/open.ts';
import type { ObjectStore } from '../../../../src/engine/backend/store.ts';
import { describeStores, openProxy, type StoreServer } from '../servers.ts';

afterEach(() => vi.unstubAllEnvs());

describeStores('a store of objects', (server) => {
  it('has no object before it is created, and reading creates nothing', async () => {
    await using opened = await open(server);
    const { store } = opened;
    expect(await store.read('log/1')).toBeUndefined();
    expect(await keysOf(store, '')).toEqual([]);
    await store.remove(['log/1']);
    await store.remove([]);
    expect(await store.replace('log/1', 'text', 'a version')).toBeUndefined();
  });

  it.each([
    '',
    'one line\n',
    'ünï → 漢字 🙂\n{"a":"b"}\r\n',
    'x'.repeat(1_000_000),
  ])('returns the text as it was written: %#', async (text) => {
    await using opened = await open(server);
    const { store } = opened;
    const version = await store.create('a/b', text);
    expect(version).toEqual(expect.any(String));
    expect(await store.read('a/b')).toMatchObject({ text, version });
  });

  it('creates an object once, and replaces only the version that is named', async () => {
    await using opened = await open(server);
    const { store } = opened;
    const first = (await store.create('lock', 'one')) ?? '';
    expect(await store.create('lock', 'other')).toBeUndefined();
    const second = (await store.replace('lock', 'two', first)) ?? '';
    expect(second).not.toBe(first);
    expect(await store.replace('lock', 'late', first)).toBeUndefined();
    expect(await store.read('lock')).toMatchObject({ text: 'two', version: second });
    await store.remove(['lock', 'other']);
    expect(await store.read('lock')).toBeUndefined();
    expect(await store.replace('lock', 'late', second)).toBeUndefined();
    expect(await store.create('lock', 'again')).toEqual(expect.any(String));
  });

  it('lets exactly one of many writers create an object, and exactly one replace it', async () => {
    await using opened = await open(server);
    const stores = await Promise.all(Array.from({ length: 8 }, () => openObjectStore(opened.address, process.env)));
    for (let round = 0; round < 20; round += 1) {
      const key = `log/${round}`;
      const created = await Promise.all(stores.map((store, index) => store.create(key, `created by ${index}`)));
      expect(created.filter((version) => version !== undefined)).toHaveLength(1);
      const winner = created.findIndex((version) => version !== undefined);
      const { text, version = '' } = (await stores[0]?.read(key)) ?? {};
      expect(text).toBe(`created by ${winner}`);
      const replaced = await Promise.all(stores.map((store, index) => store.replace(key, `by ${index}`, version)));
      expect(replaced.filter((each) => each !== undefined)).toHaveLength(1);
      const last = replaced.findIndex((each) => each !== undefined);
      expect((await stores[0]?.read(key))?.text).toBe(`by ${last}`);
    }
    await Promise.all(stores.map((store) => store.close()));
  });

  it('lists keys in byte order, over several pages, from a key on', async () => {
    await using opened = await open(server);
    const { store } = opened;
    const keys = Array.from({ length: 1203 }, (_, index) => `log/${String(index).padStart(6, '0')}`);
    const others = ['lock', 'log', 'log-', 'log0', 'logs/000001', 'LOG/000001', 'a%b/c_d', 'ä/1'];
    const shuffled = [...keys, ...others].toSorted(() => Math.random() - 0.5);
    for (let from = 0; from < shuffled.length; from += 40)
      await Promise.all(shuffled.slice(from, from + 40).map((key) => store.create(key, key)));
    expect(await keysOf(store, 'log/')).toEqual(keys);
    expect(await keysOf(store, 'log/', 'log/001000')).toEqual(keys.slice(1001));
    expect(await keysOf(store, 'log/', 'log/9')).toEqual([]);
    expect(await keysOf(store, 'a%')).toEqual(['a%b/c_d']);
    expect(await keysOf(store, 'ä')).toEqual(['ä/1']);
    const inOrder = [...keys, ...others].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect((await keysOf(store, '')).filter((key) => key !== 'conditional-writes')).toEqual(inOrder);
    await store.remove(keys);
    expect(await keysOf(store, 'log/')).toEqual([]);
    expect((await store.read('log'))?.text).toBe('log');
  });

  it('counts the age by its own clock, from the last write, and never too high', async () => {
    await using opened = await open(server);
    const { store } = opened;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 60 * 60_000);
    // The object is written while its answer is on the way.
    const start = performance.now();
    const version = (await store.create('lock', 'one')) ?? '';
    await sleep(2500);
    const { ageMs = Number.NaN } = (await store.read('lock')) ?? {};
    expect(ageMs).toBeGreaterThanOrEqual(500);
    expect(ageMs).toBeLessThanOrEqual(performance.now() - start + 50);
    const replaced = performance.now();
    await store.replace('lock', 'two', version);
    expect((await store.read('lock'))?.ageMs).toBeLessThanOrEqual(performance.now() - replaced + 50);
    vi.restoreAllMocks();
  });

  it('may be used by many processes that find it empty', async () => {
    const address = await server.newAddress();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openObjectStore(address, process.env)));
    const created = await Promise.all(stores.map((store) => store.create('log/1', 'first')));
    expect(created.filter((version) => version !== undefined)).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  describe('behind a connection that fails', () => {
    it.each([1, 2])('knows its own write after %s lost answers', async (count) => {
      await using opened = await open(server);
      await using proxied = await openProxied(server, opened.address);
      const { store, proxy } = proxied;
      await store.create('warm', 'up');
      proxy.loseAnswers(count);
      const nonce = randomBytes(8).toString('hex');
      const version = await store.create('log/1', nonce);
      expect(await opened.store.read('log/1')).toMatchObject({ text: nonce, version });
      proxy.loseAnswers(count);
      const next = await store.replace('log/1', `${nonce} again`, version ?? '');
      expect(await opened.store.read('log/1')).toMatchObject({ text: `${nonce} again`, version: next });
      proxy.loseAnswers(count);
      expect((await store.read('log/1'))?.text).toBe(`${nonce} again`);
      proxy.loseAnswers(count);
      await store.remove(['log/1']);
      expect(await opened.store.read('log/1')).toBeUndefined();
    });

    it('does not take the write of another for its own', async () => {
      await using opened = await open(server);
      await using proxied = await openProxied(server, opened.address);
      const { store, proxy } = proxied;
      await store.create('warm', 'up');
      const version = (await opened.store.create('log/1', 'by another')) ?? '';
      proxy.loseAnswers(1);
      expect(await store.create('log/1', 'mine')).toBeUndefined();
      await opened.store.replace('log/1', 'by another again', version);
      proxy.loseAnswers(1);
      expect(await store.replace('log/1', 'mine', version)).toBeUndefined();
      expect((await opened.store.read('log/1'))?.text).toBe('by another again');
    });

    it('is unreachable, in words, once the connection stays away', async () => {
      await using opened = await open(server);
      await using proxied = await openProxied(server, opened.address);
      const { store, proxy } = proxied;
      await store.create('warm', 'up');
      proxy.cut();
      const calls = [
        () => store.read('warm'),
        () => store.create('log/1', 'text'),
        () => store.replace('warm', 'text', 'version'),
        () => store.remove(['warm']),
        () => keysOf(store, ''),
      ];
      await Promise.all(
        calls.map((call) =>
          expect(call()).rejects.toMatchObject({
            problems: [
              {
                code: 'backend-unreachable',
                found: expect.stringContaining(`backend ${store.address} is unreachable`),
                fix: expect.any(String),
              },
            ],
          }),
        ),
      );
      expect((await opened.store.read('warm'))?.text).toBe('up');
    });
  });
});

interface Opened extends AsyncDisposable {
  store: ObjectStore;
  address: string;
}

async function open(server: StoreServer): Promise<Opened> {
  const address = await server.newAddress();
  const store = await openObjectStore(address, process.env);
  return { store, address, [Symbol.asyncDispose]: () => store.close() };
}

async function openProxied(server: StoreServer, address: string) {
  const proxy = await openProxy(server, address);
  for (const [name, value] of Object.entries(proxy.env)) vi.stubEnv(name, value);
  const store = await openObjectStore(proxy.address, process.env);
  // Makes the client read its settings now.
  await store.read('warm');
  vi.unstubAllEnvs();
  return {
    store,
    proxy,
    async [Symbol.asyncDispose]() {
      await store.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

async function keysOf(store: ObjectStore, prefix: string, after?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix, after === undefined ? {} : { after })) keys.push(key);
  return keys;
}
