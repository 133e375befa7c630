/** Terraform configurations in this process: what one resource protects holds for the others, and values stay as they are written. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unknownValue } from '../../../providers/core/unknown.ts';
import { toWireObject } from '../../../providers/terraform/attributes.ts';
import { resourceType } from '../../../providers/terraform/resources.ts';
import { migrationsOf } from '../../cli/harness.ts';
import { temporaryFolder } from '../../temporary.ts';
import { openServing } from '../../triggers/serving.ts';
import { openTestStack, type TestStack } from '../testStack.ts';
import { type Configured, openClient, openConfiguration, type StateEntry } from './client.ts';

const allocation = 'webdata_zone_ip_allocation';

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const moves = () => migrationsOf(test.emulator.requests());
const settings = () => ({
  url: test.emulator.apiUrl,
  apiKey: test.emulator.keys.ops,
  managerUrl: test.emulator.managerUrl,
  triggersUrl: test.serving.url,
  triggersToken: test.settings.triggersToken,
  profile: { settleSeconds: 0.1 },
});
const open = (more: object = {}, program?: number) => openConfiguration({ ...settings(), ...more }, program);

/** Plans all resources at once in one process, and applies those that change in another one, in this order. */
async function applied(resources: readonly Configured[]): Promise<(StateEntry | null)[]> {
  const planning = await open();
  const planned = await Promise.all(resources.map((each) => planning.of(each.type).plan(each.prior, each.inputs)));
  await planning.end();
  const applying = await open();
  const states: (StateEntry | null)[] = [];
  for (const [index, each] of resources.entries()) {
    const plan = planned[index];
    if (plan === undefined || !plan.hasChanges) states.push(each.prior);
    else states.push(await applying.of(each.type).apply(each.prior, plan, each.inputs));
  }
  return states;
}

describe('an allocation that does not change', () => {
  const guarded = {
    zones: { checkout: { ips: ['192.0.2.12'] } },
    sources: ['parked'],
    protect: ['198.51.100.30', '198.51.100.31'],
  };
  const filling = { zones: { archive: { count: { us: 2 } } }, sources: ['parked'] };

  it('protects its IPs from another one that is added later', async () => {
    const [state = null] = await applied([{ type: allocation, prior: null, inputs: guarded }]);
    expect(moves()).toEqual([]);
    const resources = [
      { type: allocation, prior: null, inputs: filling },
      { type: allocation, prior: state, inputs: guarded },
    ];
    await applied(resources).catch(() => undefined);
    expect(moves().join()).not.toMatch(/198\.51\.100\.3[01]/);
  });
});

describe('an allocation that the apply does not ask for', () => {
  it('protects its IPs from one that could also take others', async () => {
    const guarded = { zones: { checkout: { ips: ['192.0.2.12'] } }, sources: ['parked'], protect: ['198.51.100.30'] };
    const [state = null] = await applied([{ type: allocation, prior: null, inputs: guarded }]);
    const filling = { zones: { archive: { count: { us: 2 } } }, sources: ['parked'] };
    const planning = await open();
    await planning.of(allocation).plan(state, guarded);
    const planned = await planning.of(allocation).plan(null, filling);
    await planning.end();
    await (await open()).of(allocation).apply(null, planned, filling);
    expect(moves()).toEqual(['parked -> archive: 198.51.100.31']);
  });

  it('is not known on another machine, where nothing is moved and nothing else is held up', async () => {
    const moving = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };
    const staying = { zones: { archive: { count: { us: 1 } } } };
    const planning = await open();
    const planned = await planning.of(allocation).plan(null, moving);
    const adopted = await planning.of(allocation).plan(null, staying);
    await planning.end();
    process.env.WEBDATA_STATE_FOLDER = temporaryFolder();
    const { of } = await open();
    await expect(of(allocation).apply(null, planned, moving)).rejects.toThrow('made on another machine');
    expect(await of(allocation).apply(null, adopted, staying)).not.toBeNull();
    expect(moves()).toEqual([]);
  });
});

it('an allocation that is planned after calls that break its guards is refused', async () => {
  const guarded = { zones: { checkout: { ips: ['192.0.2.12'] } }, sources: ['parked'], protect: ['198.51.100.30'] };
  const { of } = await open();
  const [state = null] = await applied([{ type: allocation, prior: null, inputs: guarded }]);
  await of(allocation).plan(null, { zones: { archive: { ips: ['198.51.100.30'] } }, sources: ['parked'] });
  await expect(of(allocation).plan(state, guarded)).rejects.toThrow('protected, and would move from parked to archive');
});

describe('a replacement that the user asks for', () => {
  it('moves nothing, because both declare the same', async () => {
    const inputs = {
      zones: { checkout: { ips: ['192.0.2.10'] } },
      sources: ['pricing'],
      spare: 'parked',
      onDelete: 'release',
    };
    const [state = null] = await applied([{ type: allocation, prior: null, inputs }]);
    const before = moves();
    const { plan } = (await open()).of(allocation);
    const created = await plan(null, inputs);
    const applying = (await open()).of(allocation);
    expect(await applying.apply(state, { ...created, wire: null }, null)).toBeNull();
    expect(await applying.apply(null, created, inputs)).toMatchObject({ wire: { moved: {} } });
    expect(moves()).toEqual(before);
  });
});

describe('a destroy', () => {
  const releasing = {
    zones: { checkout: { ips: ['192.0.2.10'] } },
    sources: ['pricing'],
    spare: 'parked',
    onDelete: 'release',
  };

  it('is refused by its plan where a guard refuses it', async () => {
    const inputs = { ...releasing, protect: ['192.0.2.10'] };
    const [state = null] = await applied([{ type: allocation, prior: null, inputs }]);
    await expect((await open()).of(allocation).plan(state, null)).rejects.toThrow(
      'protected, and would move from checkout to parked',
    );
  });

  it('releases IPs if that is declared, and says in its plan that they may incur charges', async () => {
    const [state = null] = await applied([{ type: allocation, prior: null, inputs: releasing }]);
    const { of, warnings } = await open();
    const planned = await of(allocation).plan(state, null);
    expect(warnings.join()).toContain('may incur charges');
    expect(await of(allocation).apply(state, planned, null)).toBeNull();
    expect(moves().at(-1)).toBe('checkout -> parked: 192.0.2.10');
  });

  it('leaves the zones that another provider of the program declares', async () => {
    const [state = null] = await applied([{ type: allocation, prior: null, inputs: releasing }]);
    const [one, other] = [await open({}, 7), await open({}, 7)];
    const adopted = await other.of(allocation).plan(null, releasing);
    await other.of(allocation).apply(null, adopted, releasing);
    const destroyed = await one.of(allocation).plan(state, null);
    expect(await one.of(allocation).apply(state, destroyed, null)).toBeNull();
    expect(moves()).toEqual(['pricing -> checkout: 192.0.2.10']);
  });
});

describe('a registration', () => {
  const nightly = {
    name: 'nightly',
    collector: 'c_prices',
    every: '1h',
    inputs: [{ url: 'https://shop.example.com/a' }],
  };
  const schedule = 'webdata_collector_schedule';

  it('that another workspace has registered otherwise is named before it is taken over', async () => {
    await applied([{ type: schedule, prior: null, inputs: nightly }]);
    const { of, warnings } = await open();
    await of(schedule).plan(null, { ...nightly, every: '2h' });
    expect(warnings.join()).toMatch(
      /nightly: warning: takes over a registration of terraform that is there already, and changes every/,
    );
    warnings.length = 0;
    await (await open()).of(schedule).plan(null, nightly);
    expect(warnings).toEqual([]);
  });

  it('at another trigger server keeps firing there, which is said', async () => {
    const [state = null] = await applied([{ type: schedule, prior: null, inputs: nightly }]);
    const { of, warnings } = await open({ triggersUrl: 'http://127.0.0.1:9' });
    await of(schedule)
      .read(state as StateEntry)
      .catch(() => undefined);
    expect(warnings.join()).toMatch(/nightly is registered at http:\S+ too, which keeps firing/);
  });
});

describe('values of inputs', () => {
  const schedule = 'webdata_collector_schedule';
  const spec = { name: 'nightly', collector: 'c_prices', every: '1h' };
  const registered = async () => (await test.serving.registry.records('terraform')).schedules[0]?.spec.inputs;
  const attributes = (inputs: unknown) => toWireObject(resourceType(schedule).attributes, { ...spec, inputs });

  it('are numbers, texts and flags as they are written, without attributes that are null', async () => {
    const url = 'https://shop.example.com/a';
    const type = JSON.stringify([
      'tuple',
      [['object', { url: 'string', price: 'number', pages: 'number', code: 'string', deep: 'bool', note: 'string' }]],
    ]);
    const wire = [{ url, price: '0.1', pages: 3, code: '007', deep: true, note: null }];
    const config = { ...attributes([]), inputs: [Buffer.from(type), wire] };
    const client = await openClient(schedule, settings());
    const state = await client.apply(null, await client.plan(null, config), config);
    expect(await registered()).toEqual([{ url, price: 0.1, pages: 3, code: '007', deep: true }]);
    const stored = { ...state?.wire, inputs: { type: JSON.parse(type), value: [{ ...wire[0], price: 0.1 }] } };
    const upgraded = await client.upgrade(stored);
    expect((await client.plan({ wire: upgraded, hidden: state?.hidden ?? new Uint8Array() }, config)).hasChanges).toBe(
      false,
    );
  });

  it('are refused where no number of a program holds them', async () => {
    const type = Buffer.from(JSON.stringify(['tuple', [['object', { id: 'number' }]]]));
    const config = { ...attributes([]), inputs: [type, [{ id: '9007199254740993.5' }]] };
    const client = await openClient(schedule, settings());
    await expect(client.validate(config)).rejects.toThrow('9007199254740993.5 cannot be kept exactly');
  });

  it('of a text that jsonencode has made are refused with the fix', async () => {
    const config = { ...attributes([]), inputs: [Buffer.from('"string"'), '[{"url":"https://shop.example.com/a"}]'] };
    const client = await openClient(schedule, settings());
    await expect(client.validate(config)).rejects.toThrow('without `jsonencode`');
  });
});

it('a setting of the provider that is not known yet stops no read, and is named by a data source', async () => {
  const inputs = { zones: { checkout: { ips: ['192.0.2.12'] } } };
  const [state = null] = await applied([{ type: allocation, prior: null, inputs }]);
  const client = await openClient(allocation, { ...settings(), url: unknownValue });
  expect((await client.read(state as StateEntry))?.wire).toEqual(state?.wire);
  const config = toWireObject(resourceType(allocation).attributes, inputs);
  expect((await client.plan(state, config)).wire).toMatchObject({ placements: expect.anything() });
  await expect(client.data('webdata_zone_ips', { zone: 'checkout' })).rejects.toThrow(
    '`url` of the provider is known only after the apply',
  );
});

it('a secret for a trigger server without a key is refused by the plan', async () => {
  const delivery = { name: 'results', endpoint: 'https://hooks.example.com/x', authorization: 'Bearer 12345678' };
  await using keyless = await openServing({}, []);
  const { of } = await open({ triggersUrl: keyless.url });
  await expect(of('webdata_webhook_delivery').plan(null, delivery)).rejects.toThrow('has no key to encrypt it with');
});
