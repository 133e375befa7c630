/** What does not exist, and what is not configured, in the native provider. */
import { promisify } from 'node:util';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import { expect, it } from 'vitest';
import { Provider } from '../../../providers/plugin/provider.ts';
import { openTestStack } from '../testStack.ts';
import { openEngine } from './client.ts';

const urnOf = (type: string, name = 'it') => `urn:pulumi:dev::project::${type}::${name}`;

it.each([
  'CollectorSchedule',
  'WebhookDelivery',
])('an import of a %s that is not registered fails, and a state of one goes', async (kind) => {
  await using test = await openTestStack();
  await using engine = await openEngine();
  await engine.configure(test.settings);
  const request = new messages.ReadRequest().setId('acme/nope').setUrn(urnOf(`webdata:index:${kind}`));
  const read = promisify(engine.client.read.bind(engine.client) as (request: unknown, done: () => void) => void);
  const answer = (await read(request)) as unknown as messages.ReadResponse;
  // The engine takes an answer with properties for a resource, even if there are none.
  expect([answer.getId(), answer.hasProperties(), answer.hasInputs()]).toEqual(['', false, false]);
  await engine.delete(kind, 'acme/nope', {});
});

it.each([
  ['an explicit provider', urnOf('pulumi:providers:webdata', 'other'), /set `apiUrl` of the provider/],
  ['the default provider', urnOf('pulumi:providers:webdata', 'default_0_1_0'), /pulumi config set webdata:apiUrl/],
])('%s without a URL names its own setting', async (_, urn, fix) => {
  const provider = new Provider({ version: '0.0.0', log: async () => {} });
  const none = { values: {}, secrets: [] };
  provider.checkConfiguration(none, urn);
  provider.configure(none);
  const news = { values: { zones: { checkout: { count: 1 } } }, secrets: [] };
  const resource = { kind: 'ZoneIpAllocation', urn: urnOf('webdata:index:ZoneIpAllocation') };
  const { failures } = await provider.check(resource, none, news);
  expect(failures.map(({ reason }) => reason).join()).toMatch(fix);
});
