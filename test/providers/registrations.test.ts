/** `WebhookDelivery` and `CollectorSchedule` in a stack, without the engine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource, deleteResource, diffResource, readResource } from '../../providers/core/lifecycle.ts';
import { storedRegistration } from '../../providers/core/stored/storedRegistration.ts';
import { collectorSchedule } from '../../src/kinds/collectorSchedule/kind.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { sealedHash } from '../../src/triggers/secrets/secrets.ts';
import { failuresOf, kindNamed, openTestStack, type TestStack, up } from './testStack.ts';

const deliveries = kindNamed('WebhookDelivery');
const schedules = kindNamed('CollectorSchedule');

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const canary = 'Bearer canary-hook-99';
const results = {
  name: 'results',
  owner: 'shop/dev',
  endpoint: 'https://hooks.example.com/webdata',
  authorization: canary,
};
const nightly = {
  name: 'nightly',
  owner: 'shop/dev',
  collector: 'c_prices',
  cron: '0 3 * * *',
  inputs: [{ url: 'https://shop.example.com/a' }],
  delivery: 'results',
};

describe('check', () => {
  it('requires name and owner, and names invalid properties', async () => {
    const { name: _, ...unnamed } = nightly;
    expect(Object.keys(await failuresOf(schedules, unnamed, test.open()))).toEqual(['name']);
    expect(await failuresOf(schedules, { ...nightly, cron: '61 3 * * *' }, test.open())).toEqual({
      cron: expect.stringContaining('61'),
    });
  });

  it('refuses two resources with one name and owner', async () => {
    const stack = test.open();
    expect(await failuresOf(deliveries, results, stack)).toEqual({});
    const twice = await failuresOf(deliveries, { ...results, endpoint: 'https://other.example.com/' }, stack);
    expect(twice).toEqual({ name: expect.stringContaining('results of shop/dev is declared twice') });
    const others = { ...results, owner: 'shop/prod' };
    expect(await failuresOf(deliveries, others, stack)).toEqual({});
  });

  it('refuses two equal resources where the engine names them, and checks one resource twice', async () => {
    const stack = test.open();
    const check = async (urn: string) => {
      const { problems } = await checkInputs(deliveries, {}, results, () => stack, urn);
      return problems.map(({ path }) => path?.join());
    };
    expect(await check('urn:pulumi:dev::shop::webdata:index:WebhookDelivery::a')).toEqual([]);
    expect(await check('urn:pulumi:dev::shop::webdata:index:WebhookDelivery::a')).toEqual([]);
    expect(await check('urn:pulumi:dev::shop::webdata:index:WebhookDelivery::b')).toEqual(['name']);
  });

  it('lets neither of them be written, also without a preview', async () => {
    const stack = test.open();
    await failuresOf(deliveries, results, stack);
    await failuresOf(deliveries, { ...results, endpoint: 'https://other.example.com/' }, stack);
    await expect(createResource(stack, deliveries, results)).rejects.toMatchObject({
      problems: [{ code: 'registered-twice' }],
    });
    expect((await test.serving.registry.records('shop/dev')).deliveries).toEqual([]);
  });

  it.each([
    12345678901234567000,
    -9007199254740992,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ])('refuses the input %s, whose digits the engine may have changed', async (id) => {
    const inputs = [{ url: 'https://shop.example.com/a' }, { nested: [{ id }] }];
    expect(await failuresOf(schedules, { ...nightly, inputs }, test.open())).toEqual({
      'inputs[1].nested[0].id': expect.stringContaining('cannot be kept exactly'),
    });
  });
});

describe('create and update', () => {
  it('registers a delivery before the schedule that names it, in any order of the program', async () => {
    const stack = test.open();
    const [schedule, delivery] = await Promise.all([
      createResource(stack, schedules, nightly),
      createResource(stack, deliveries, results),
    ]);
    expect([schedule.id, delivery.id]).toEqual(['shop/dev/nightly', 'shop/dev/results']);
    expect(schedule.properties).toMatchObject({ ...nightly, drifted: [] });
    expect(await readResource(test.open(), schedules, schedule.properties)).toMatchObject({ inputs: nightly });
  });

  it('replaces a resource whose name or owner changes', async () => {
    const properties = await up(test, deliveries, results);
    const renamed = { ...results, name: 'other', owner: 'shop/prod' };
    const diff = await diffResource(test.open(), deliveries, properties, renamed);
    expect(diff).toMatchObject({ hasChanges: true, replaces: ['name', 'owner'], calls: [] });
    expect(diff.properties.every(({ isReplacing }) => isReplacing)).toBe(true);
  });

  it('keeps the secret of the declaration, and takes none from the trigger service', async () => {
    const properties = await up(test, deliveries, results);
    expect(properties.authorization).toBe(canary);
    const live = await readResource(test.open(), deliveries, properties);
    expect(live).toEqual({ inputs: results, properties });
  });
});

describe('read', () => {
  it('names drifted fields, and shows what is registered', async () => {
    await up(test, deliveries, results);
    const properties = await up(test, schedules, nightly);
    const { name: _, owner: __, ...spec } = nightly;
    await test.serving.registry.putSchedule(
      'shop/dev',
      'nightly',
      scheduleSpec().parse({ ...spec, cron: '0 4 * * *' }),
    );
    const live = await readResource(test.open(), schedules, properties);
    expect(live?.inputs).toEqual({ ...nightly, cron: '0 4 * * *' });
    expect(live?.properties).toMatchObject({ ...nightly, drifted: ['cron'] });
  });

  it('shows inputs as they are registered, also those that look like sealed secrets, and no secret', () => {
    const declared = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://shop.example.com/a' }] };
    const delivery = { endpoint: 'https://hooks.example.com/', authorization: sealedHash('canary') };
    const inputs = [{ url: 'https://shop.example.com/a', page: sealedHash('data') }];
    const state = {
      triggers: 'http://127.0.0.1:22997',
      record: 'schedule' as const,
      owner: 'acme',
      name: 'hourly',
      declared: { spec: scheduleSpec().parse(declared) },
      registered: { ...scheduleSpec().parse(declared), inputs, delivery },
    };
    const spec = collectorSchedule.spec.parse(declared);
    const live = storedRegistration.liveInputs({ name: 'hourly', owner: 'acme', ...declared }, spec, state);
    const shown = { endpoint: delivery.endpoint, authorization: '(another secret)' };
    expect(live).toEqual({ name: 'hourly', owner: 'acme', ...declared, inputs, delivery: shown });
  });
});

describe('delete', () => {
  it('leaves a registration that another resource declares now', async () => {
    const properties = await up(test, deliveries, results);
    const stack = test.open();
    await failuresOf(deliveries, { ...results, endpoint: 'https://other.example.com/' }, stack);
    await deleteResource(stack, deliveries, properties);
    expect(await readResource(test.open(), deliveries, properties)).toBeDefined();
  });
});
