/** The provider plugin over its gRPC contract, in this process and without the engine. */
import type { ServiceError } from '@grpc/grpc-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrationsOf } from '../../cli/harness.ts';
import { keptState } from './client.ts';
import { engine, openBeforeEachTest, test } from './eachTest.ts';

openBeforeEachTest();

const held = ['192.0.2.12', '192.0.2.13'];
const adopting = { zones: { checkout: { ips: held } }, sources: ['pricing'], spare: 'parked' };
const moving = { ...adopting, zones: { checkout: { ips: ['192.0.2.10', ...held] } } };
const allocation = 'ZoneIpAllocation';

describe('check', () => {
  it('names the property of an invalid input', async () => {
    const { failures } = await engine.check(allocation, { zones: { checkout: { ips: ['192.0.2.300'] } }, spair: 'x' });
    expect(failures).toEqual({
      'zones.checkout.ips[0]': expect.stringContaining('192.0.2.300'),
      spair: expect.stringContaining('did you mean `spare`?'),
    });
  });

  it('gives a registration the name of its resource, and its stack as the owner', async () => {
    const { inputs } = await engine.check('WebhookDelivery', { endpoint: 'https://hooks.example.com/webdata' });
    expect(inputs.values).toMatchObject({ name: 'resource', owner: 'project/dev' });
  });

  it('marks a property as secret that may hold one', async () => {
    const delivery = { endpoint: 'https://hooks.example.com/webdata', authorization: 'Bearer 12345678' };
    const { inputs } = await engine.check('WebhookDelivery', delivery);
    expect(inputs.secrets).toContainEqual(['authorization']);
  });

  it('accepts unknown values', async () => {
    const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
    expect(await engine.check(allocation, { zones: { checkout: { ips: [unknown] } } })).toMatchObject({ failures: {} });
    expect(await engine.check(allocation, { zones: unknown })).toMatchObject({ failures: {} });
  });
});

describe('preview', () => {
  it('predicts placements, and sends nothing', async () => {
    const news = { zones: { checkout: { ips: ['192.0.2.10'] }, pricing: { keepAtLeast: 1 } } };
    await engine.check(allocation, news);
    const { state } = await engine.create(allocation, news, { preview: true });
    expect(state.values.placements).toMatchObject({ '192.0.2.11': 'pricing' });
    expect(state.values.placements).not.toHaveProperty(['192.0.2.10']);
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });

  it('fails for what no resource of the program provides, and waits for one that is declared later', async () => {
    const floor = { zones: { pricing: { keepAtLeast: 99 }, checkout: { ips: ['192.0.2.10'] } } };
    await engine.check(allocation, floor);
    await expect(engine.create(allocation, floor, { preview: true })).rejects.toThrow('at least 99 after every call');
    await engine.configure(test.settings);
    const filling = { zones: { archive: { count: { us: 4 } } }, spare: 'parked' };
    const giving = { zones: { checkout: { count: { us: 4 } } }, spare: 'parked' };
    await engine.check(allocation, filling);
    const filled = engine.create(allocation, filling, { preview: true });
    await engine.check(allocation, giving);
    await engine.create(allocation, giving, { preview: true });
    expect((await filled).state.values.placements).toMatchObject({ '198.51.100.31': 'archive' });
  });

  it('knows no output while an input is unknown', async () => {
    const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
    const { state } = await engine.create(allocation, { ...adopting, spare: unknown }, { preview: true });
    expect(state.values).toMatchObject({ placements: unknown, moved: unknown });
  });
});

describe('create, diff and update', () => {
  it('converge, and then have nothing to do', async () => {
    const { id, state } = await engine.create(allocation, moving);
    expect(id).toBe('checkout');
    expect(migrationsOf(test.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    expect(state.values).toMatchObject({ moved: [{ ip: '192.0.2.10', from: 'pricing', to: 'checkout' }] });
    expect(await engine.diff(allocation, state.values, moving)).toEqual({
      hasChanges: false,
      replaces: [],
      properties: {},
    });
  });

  it('differ by path', async () => {
    const { state } = await engine.create(allocation, adopting);
    const news = { ...moving, maxMoves: 5 };
    const { hasChanges, properties } = await engine.diff(allocation, state.values, news);
    expect(hasChanges).toBe(true);
    expect(properties).toEqual({ 'zones.checkout.ips[0]': 'add', maxMoves: 'add' });
    const updated = await engine.update(allocation, 'checkout', state.values, news);
    expect(updated.values).toMatchObject({
      maxMoves: 5,
      moved: [{ ip: '192.0.2.10', from: 'pricing', to: 'checkout' }],
    });
  });

  it('keep the state of an update that was done in part, from which the next one continues', async () => {
    const fault = { kind: 'status', status: 409, body: 'busy' } as const;
    test.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault });
    const both = { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.77'] } }, sources: ['pricing', 'archive'] };
    const error = await engine.create(allocation, both).catch((thrown: ServiceError) => thrown);
    if (!(error instanceof Error)) throw new TypeError('created');
    expect(error.message).toContain('409');
    const kept = keptState(error);
    expect(kept.id).toBe('checkout');
    await engine.configure(test.settings);
    await engine.update(allocation, kept.id, kept.state.values, both);
    expect(test.emulator.ips('checkout')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.77']));
    const moved = migrationsOf(test.emulator.requests());
    expect(new Set(moved).size).toBe(2);
  });
});

describe('read', () => {
  it('finds drift per path in the inputs', async () => {
    const { id, state } = await engine.create(allocation, moving);
    test.emulator.move(['192.0.2.10'], 'pricing');
    const found = await engine.read(allocation, id, { state: state.values, inputs: moving });
    expect(found.inputs.values).toMatchObject({ zones: { checkout: { ips: held } } });
    const { properties } = await engine.diff(allocation, found.state.values, moving, found.inputs.values);
    expect(properties).toEqual({ 'zones.checkout.ips[0]': 'add' });
  });

  it('imports each kind by its id, and then has nothing to change', async () => {
    await engine.create('WebhookDelivery', {
      name: 'results',
      owner: 'team/prod',
      endpoint: 'https://hooks.example.com/x',
    });
    const every = '15m';
    const schedule = {
      name: 'nightly',
      owner: 'team/prod',
      collector: 'c_prices',
      every,
      inputs: [{ url: 'https://a.example' }],
    };
    await engine.create('CollectorSchedule', schedule);
    const ids = {
      ZoneIpAllocation: 'checkout,pricing',
      ManagerSettings: test.emulator.managerUrl,
      WebhookDelivery: 'team/prod/results',
      CollectorSchedule: 'team/prod/nightly',
    };
    for (const [kind, id] of Object.entries(ids)) {
      const { state, inputs } = await engine.read(kind, id);
      expect(Object.keys(inputs.values), kind).not.toEqual([]);
      expect((await engine.check(kind, inputs.values, inputs.values)).failures, kind).toEqual({});
      expect(await engine.diff(kind, state.values, inputs.values, inputs.values), kind).toMatchObject({
        hasChanges: false,
      });
    }
  });

  it('returns no id for a resource that is gone, and an error for one that cannot be read', async () => {
    const gone = { name: 'results', owner: 'team/prod', endpoint: 'https://hooks.example.com/x' };
    expect(await engine.read('WebhookDelivery', 'team/prod/results', { state: gone, inputs: gone })).toMatchObject({
      id: '',
    });
    await engine.configure({ ...test.settings, triggersUrl: 'http://127.0.0.1:9' });
    await expect(engine.read('WebhookDelivery', 'team/prod/results', { state: gone, inputs: gone })).rejects.toThrow(
      /127\.0\.0\.1:9/,
    );
  });
});

describe('cancel', () => {
  it('stops before the next call, and ends with the next configuration', async () => {
    await engine.check(allocation, adopting);
    await engine.cancel();
    await expect(engine.create(allocation, moving)).rejects.toThrow('cancelled before this call was sent');
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
    await engine.configure(test.settings);
    expect(await engine.create(allocation, moving)).toMatchObject({ id: 'checkout' });
  });
});

describe('functions and lists', () => {
  it('return live data', async () => {
    expect(await engine.invoke('getZoneIps', { zone: 'parked' })).toMatchObject({
      result: { ips: test.emulator.ips('parked') },
    });
    expect(await engine.invoke('getZones', {})).toMatchObject({
      result: { zones: expect.arrayContaining(['checkout']) },
    });
    expect(await engine.invoke('getManagerSettings', {})).toMatchObject({
      result: { manager: test.emulator.managerUrl, settings: { zone: expect.any(String) } },
    });
    expect((await engine.invoke('deliverySourceIps', {})).result.ips).toHaveLength(14);
  });

  it('name an argument that is missing', async () => {
    expect(await engine.invoke('getZoneIps', {})).toMatchObject({
      failures: { zone: expect.stringContaining('missing') },
    });
    await expect(engine.invoke('getMoons', {})).rejects.toThrow('getMoons is not a function of this provider');
  });

  it('list what can be imported', async () => {
    expect(await engine.list('ManagerSettings')).toEqual([
      { id: test.emulator.managerUrl, name: new URL(test.emulator.managerUrl).host },
    ]);
    expect(await engine.list(allocation)).toContainEqual({ id: 'checkout', name: 'checkout' });
  });
});

it('answers any request with a result or an error in words, and goes on', async () => {
  const kind = fc.constantFrom(allocation, 'ManagerSettings', 'WebhookDelivery', 'CollectorSchedule', 'Moon');
  const keys = fc.constantFrom(
    'zones',
    'url',
    'endpoint',
    'inputs',
    'name',
    'owner',
    'ips',
    'checkout',
    '__proto__',
    '',
  );
  const values = fc.object({
    key: keys,
    maxDepth: 4,
    values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
  });
  const action = fc.constantFrom('check', 'diff', 'read', 'preview');
  await fc.assert(
    fc.asyncProperty(action, kind, values, values, async (name, of, olds, news) => {
      const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
      const run = {
        check: () => engine.check(of, plain(news), plain(olds)),
        diff: () => engine.diff(of, plain(olds), plain(news)),
        read: () => engine.read(of, 'checkout', { state: plain(olds), inputs: plain(olds) }),
        preview: () => engine.create(of, plain(news), { preview: true }),
      }[name];
      const message = await run().then(
        () => 'answered',
        ({ message }: Error) => message,
      );
      expect(message).not.toBe('');
      expect(message).not.toMatch(/^\s+at |Cannot read prop|is not a function of undefined|undefined \(reading/m);
    }),
    { numRuns: 200 },
  );
  expect(migrationsOf(test.emulator.requests())).toEqual([]);
  expect(await engine.check(allocation, adopting)).toMatchObject({ failures: {} });
});
