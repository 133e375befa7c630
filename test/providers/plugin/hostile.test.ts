/** The provider plugin with faulty requests, states and configurations. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import { describe, expect, it } from 'vitest';
import { migrationsOf } from '../../cli/harness.ts';
import { sharedCompiledCode } from '../../compiledCode.ts';
import { engineOf, keptState } from './client.ts';
import { engine, openBeforeEachTest, test } from './eachTest.ts';

openBeforeEachTest();

const allocation = 'ZoneIpAllocation';
const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const adopting = { zones: { checkout: { ips: ['192.0.2.12', '192.0.2.13'] } } };

describe('a list that fails', () => {
  it('ends with the error in words', async () => {
    await expect(engine.list('Moon')).rejects.toThrow('Moon is not a kind of this provider');
    await engine.configure({ ...test.settings, apiKey: 'another-key-123' });
    await expect(engine.list(allocation)).rejects.toThrow('401');
  });
});

describe('a state that was written by hand', () => {
  it('is refused by path, and not called a defect', async () => {
    const state = { zones: { checkout: { ips: ['192.0.2.300'] } } };
    const message = /^2 UNKNOWN: zones\.checkout\.ips\[0\]: 192\.0\.2\.300/;
    await expect(engine.read(allocation, 'checkout', { state, inputs: state })).rejects.toThrow(message);
    await expect(engine.delete(allocation, 'checkout', state)).rejects.toThrow(message);
    await expect(engine.delete(allocation, 'checkout', { placements: {} })).rejects.toThrow(/^2 UNKNOWN: zones: /);
  });
});

describe('a configuration', () => {
  it('that is not known yet makes every resource a change', async () => {
    await engine.configure({ ...test.settings, apiUrl: unknown });
    expect(await engine.diff(allocation, adopting, adopting)).toMatchObject({ hasChanges: true });
  });

  it('that is invalid shows no credentials', async () => {
    await engine.configure({ ...test.settings, apiUrl: 'ftp://user:hunter2@api.example.com' });
    const { failures } = await engine.check(allocation, adopting);
    expect(JSON.stringify(failures)).toContain('ftp://***@api.example.com');
    await expect(engine.invoke('getZones', {})).rejects.toThrow('ftp://***@api.example.com');
  });
});

it.each([
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
] as const)('answers the write in progress before it ends, at %s', async (signal) => {
  const plugin = spawn(process.execPath, ['providers/plugin/main.ts'], {
    env: { ...process.env, ...sharedCompiledCode },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(plugin, 'exit');
  const [port] = await once(plugin.stdout, 'data');
  const address = `127.0.0.1:${String(port).trim()}`;
  const client = new services.ResourceProviderClient(address, grpc.credentials.createInsecure());
  const process_ = engineOf(client);
  await process_.configure(test.settings);
  test.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'delay', ms: 1_000 } });
  const both = { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.77'] } }, sources: ['pricing', 'archive'] };
  const answer = process_.create(allocation, both).catch((error: grpc.ServiceError) => error);
  while (migrationsOf(test.emulator.requests()).length === 0) await new Promise((done) => setTimeout(done, 20));
  plugin.kill(signal);
  const error = await answer;
  if (!(error instanceof Error)) throw new TypeError('created');
  expect(error.message).toContain('cancelled before this call was sent');
  expect(keptState(error)).toMatchObject({ id: 'checkout', state: { values: { moved: [expect.anything()] } } });
  expect(migrationsOf(test.emulator.requests())).toHaveLength(1);
  expect(await ended).toEqual([0, null]);
  client.close();
});

it('reads the live state, not the one that planned moves would make', async () => {
  const before = { zones: { pricing: { ips: ['192.0.2.11'] } } };
  const placements = async () => {
    const { state } = await engine.read(allocation, 'pricing', { state: before, inputs: before });
    return state.values.placements;
  };
  const moving = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };
  await engine.check(allocation, moving);
  expect(await placements()).toHaveProperty(['192.0.2.10'], 'pricing');
  await engine.create(allocation, moving);
  expect(await placements()).not.toHaveProperty(['192.0.2.10']);
});

it('keeps secret inputs secret in outputs that repeat them', async () => {
  const news = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };
  const { state } = await engine.create(allocation, news, { secrets: [['zones', 'checkout', 'ips']] });
  expect(state.secrets).toContainEqual(['moved']);
  expect(state.secrets).not.toContainEqual(['placements']);
});

it('takes the name of a resource from its URN as a whole', async () => {
  const urn = 'urn:pulumi:dev::project::webdata:index:WebhookDelivery::team::results';
  const delivery = { endpoint: 'https://hooks.example.com/webdata' };
  const { inputs } = await engine.check('WebhookDelivery', delivery, {}, { urn });
  expect(inputs.values).toMatchObject({ name: 'team::results', owner: 'project/dev' });
});
