/** Names, ids and secrets in the answers of the plugin. */
import grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import { describe, expect, it } from 'vitest';
import { noProperties } from '../../../providers/plugin/engineRequests.ts';
import { Provider } from '../../../providers/plugin/provider.ts';
import { markedInputs, markSecrets } from '../../../providers/plugin/secretProperties.ts';
import { kindNamed, openTestStack } from '../testStack.ts';
import { engineOf } from './client.ts';
import { engine, openBeforeEachTest, test } from './eachTest.ts';

openBeforeEachTest();

const allocation = 'ZoneIpAllocation';
const adopting = { zones: { checkout: { ips: ['192.0.2.12', '192.0.2.13'] } } };

describe('a path', () => {
  it('keeps a backslash as the engine reads it', async () => {
    const zones = { 'a\\b': { ips: ['192.0.2.300'] } };
    expect(Object.keys((await engine.check(allocation, { zones })).failures)).toEqual(['zones["a\\b"].ips[0]']);
    const before = { zones: { 'a\\b': { keepAtLeast: 1 } } };
    const { properties } = await engine.diff(allocation, before, { zones: { 'a\\b': { keepAtLeast: 2 } } });
    expect(properties).toEqual({ 'zones["a\\b"].keepAtLeast': 'update' });
  });
});

describe('a difference that no path can name', () => {
  it('is an update of the property that contains it', async () => {
    const zone = { keepAtLeast: 1 };
    const before = { zones: { checkout: zone } };
    const { properties } = await engine.diff(allocation, before, { zones: { checkout: zone, 'a.b\\': zone } });
    expect(properties).toEqual({ zones: 'update' });
  });
});

describe('a function that lists a zone', () => {
  it('reads it each time', async () => {
    const ips = async () => (await engine.invoke('getZoneIps', { zone: 'parked' })).result.ips;
    expect(await ips()).toContain('198.51.100.30');
    test.emulator.move(['198.51.100.30'], 'archive');
    expect(await ips()).not.toContain('198.51.100.30');
  });
});

describe('an invalid setting', () => {
  it('is named in the text of a check, because it is no property of the resource', async () => {
    await engine.configure({ ...test.settings, apiUrl: 'nowhere' });
    const { failures } = await engine.check(allocation, adopting);
    expect(failures).toEqual({ '': expect.stringMatching(/^webdata:apiUrl: /) });
    await expect(engine.invoke('getZones', {})).rejects.toThrow(/UNKNOWN: webdata:apiUrl: /);
  });
});

describe('an import', () => {
  it('names each zone once', async () => {
    const { id, inputs } = await engine.read(allocation, 'checkout, pricing,checkout');
    expect(id).toBe('checkout,pricing');
    expect(Object.keys(inputs.values.zones as object)).toEqual(['checkout', 'pricing']);
  });

  it.each(['', ',', 'checkout,', ' , checkout'])('refuses %j as a list of zones', async (id) => {
    await expect(engine.read(allocation, id)).rejects.toThrow(/is not a list of zones\n +allowed: names of zones/);
  });

  it.each(['results', '/results', 'team/'])('says that %j needs an owner and a name', async (id) => {
    for (const kind of ['WebhookDelivery', 'CollectorSchedule']) {
      await expect(engine.read(kind, id)).rejects.toThrow(
        /does not name an owner and a registration\n +allowed: OWNER/,
      );
    }
  });
});

describe('an input that the program marks as a secret', () => {
  const path = `canary-${'4711-'.repeat(60)}`;
  const endpoint = `https://hooks.example.com/services/${path}`;
  const delivery = { kind: 'WebhookDelivery', urn: 'urn:pulumi:dev::project::webdata:index:WebhookDelivery::results' };
  const secret = (text: string) => ({ values: { endpoint: text }, secrets: [['endpoint']] });

  it('is in no message and in no reason, not even its start', async () => {
    const printed: string[] = [];
    const provider = new Provider({ version: '0.0.0', log: async (text) => void printed.push(text) });
    provider.configure({ values: test.settings, secrets: [] });
    const { inputs } = await provider.check(delivery, noProperties, secret(endpoint));
    expect(inputs.values.endpoint).toBe(endpoint);
    expect(printed.join()).toMatch(/^WebhookDelivery results: is registered\n {2}\+ endpoint\s+\*\*\*…\n/);
    const wrong = await provider.check(delivery, noProperties, secret(endpoint.replace('https', 'http')));
    const none = await provider.check(delivery, noProperties, secret(path));
    const reasons = [...wrong.failures, ...none.failures].map(({ reason }) => reason);
    expect(reasons.length).toBeGreaterThan(1);
    for (const text of [...printed, ...reasons]) expect(text).not.toContain('canary');
  });

  it('is hidden only if its schema does not make it a secret anyway', () => {
    const values = { endpoint: 'https://hooks.example.com/x', destination: { type: 's3' }, drifted: ['endpoint'] };
    const secrets = Object.keys(values).map((name) => [name]);
    expect(markedInputs(kindNamed('WebhookDelivery'), { values, secrets }).secrets).toEqual([['endpoint']]);
  });

  it('is a secret in open calls too, whose other texts are no secrets', () => {
    const moves = [{ ip: '192.0.2.10', from: 'pricing', to: 'checkout' }];
    const values = { zones: { checkout: { ips: ['192.0.2.10'] } }, openCalls: [{ call: { type: 'migrate', moves } }] };
    const kind = kindNamed(allocation);
    const marked = markSecrets(kind, values, { values, secrets: [['zones', 'checkout', 'ips']] });
    expect(marked.secrets).toContainEqual(['openCalls']);
    expect(markedInputs(kind, marked).secrets).toEqual([['zones', 'checkout', 'ips']]);
  });

  it('is in no move of a preview', async () => {
    const provider = new Provider({ version: '0.0.0', log: async () => {} });
    provider.configure({ values: test.settings, secrets: [] });
    const shown: unknown[] = [];
    const news = {
      values: { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] },
      secrets: [['zones', 'checkout', 'ips']],
    };
    const writing = { isPreview: true, ignoreChanges: [], show: async (views: unknown) => shown.push(views) > 0 };
    await provider.create({ ...delivery, kind: allocation }, news, writing);
    expect(shown).toMatchObject([[{ name: 'pricing → checkout', values: { ips: ['***'] } }, {}, {}]]);
  });
});

describe('a URL with credentials', () => {
  const endpoints = ['https://user:canary-4711@hooks.example.com/x', 'https://hooks.example.com/x?token=canary-4711'];

  it.each(endpoints)('is a secret: %s', async (endpoint) => {
    const delivery = { name: 'results', owner: 'team/prod', endpoint };
    expect((await engine.check('WebhookDelivery', delivery)).inputs.secrets).toContainEqual(['endpoint']);
    const { state } = await engine.create('WebhookDelivery', delivery);
    expect(state.secrets).toContainEqual(['endpoint']);
    const read = await engine.read('WebhookDelivery', 'team/prod/results', { state: state.values, inputs: delivery });
    expect(read.state.secrets).toContainEqual(['endpoint']);
    expect(read.inputs.secrets).toContainEqual(['endpoint']);
    await expect(engine.read('WebhookDelivery', 'team/prod/results')).rejects.toThrow(
      /results cannot be imported: its endpoint contains a secret.*fix: declare it with its secret/s,
    );
  });

  it('is the only one that is', async () => {
    const delivery = { endpoint: 'https://hooks.example.com/x?page=1' };
    expect((await engine.check('WebhookDelivery', delivery)).inputs.secrets).toEqual([]);
  });

  it('is a secret among the inputs of a notification', async () => {
    const notify = { type: 'webhook', endpoint: endpoints[0] };
    const { inputs } = await engine.check('WebhookDelivery', { endpoint: 'https://hooks.example.com/x', notify });
    expect(inputs.secrets).toContainEqual(['notify']);
  });
});

it('keeps the configurations of two engines apart that attach to one process', async () => {
  await using other = await openTestStack();
  const address = engine.client.getChannel().getTarget().replace(/^dns:/, '');
  const client = new services.ResourceProviderClient(address, grpc.credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const second = engineOf(client);
  await second.configure(other.settings);
  const managers = await Promise.all(
    [engine, second].map(async (each) => (await each.invoke('getManagerSettings', {})).result.manager),
  );
  expect(managers).toEqual([test.emulator.managerUrl, other.emulator.managerUrl]);
  await second.cancel();
  expect(await engine.create(allocation, adopting)).toMatchObject({ id: 'checkout' });
  client.close();
});

describe('a refresh', () => {
  const olds = async (kind: string, news: Record<string, unknown>) => {
    const { id, state } = await engine.create(kind, news);
    return { id, olds: { state: state.values, inputs: news } };
  };
  const resources = {
    ZoneIpAllocation: adopting,
    ManagerSettings: { logs: 300 },
    WebhookDelivery: { name: 'results', owner: 'team/prod', endpoint: 'https://hooks.example.com/x' },
  };

  it.each(Object.entries(resources))('of a %s never takes a wrong URL for gone', async (kind, news) => {
    const { id, olds: state } = await olds(kind, news);
    const wrong = {
      apiUrl: `${test.emulator.apiUrl}/elsewhere`,
      managerUrl: `${test.emulator.managerUrl}/elsewhere`,
      triggersUrl: `${test.serving.url}/elsewhere`,
    };
    await engine.configure({ ...test.settings, ...wrong });
    await expect(engine.read(kind, id, state)).rejects.toThrow(/UNKNOWN: /);
    const swapped = {
      apiUrl: test.emulator.managerUrl,
      managerUrl: test.serving.url,
      triggersUrl: test.emulator.apiUrl,
    };
    await engine.configure({ ...test.settings, ...swapped });
    await expect(engine.read(kind, id, state)).rejects.toThrow(/UNKNOWN: /);
  });

  it.each([500, 403, 404])('of an allocation never takes an answer %i to every request for gone', async (status) => {
    const { id, olds: state } = await olds(allocation, adopting);
    await engine.configure({ ...test.settings, profile: { settleSeconds: 0 } });
    for (const route of ['zone/ips', 'zone/recent_ips']) {
      for (let occurrence = 1; occurrence < 20; occurrence++) {
        test.emulator.addFault({ route, occurrence, fault: { kind: 'status', status, body: 'no' } });
      }
    }
    await expect(engine.read(allocation, id, state)).rejects.toThrow(/UNKNOWN: /);
  });
});
