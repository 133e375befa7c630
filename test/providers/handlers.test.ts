/** The dynamic provider's handlers, in the types of the SDK and without the engine. */
import { beforeEach, expect, it, vi } from 'vitest';
import { openTestStack, type TestStack } from './testStack.ts';

/** Loads the handlers as in a process of their own. */
async function handlersOf(kind: string, { settings }: Pick<TestStack, 'settings'>) {
  vi.resetModules();
  const runtime = await import('../../providers/runtime/index.ts');
  const handlers = runtime.handlersOf(kind);
  const get = (key: string) => settings[key.replace('webdata:', '')];
  await handlers.configure({ config: { get, require: (key) => get(key) ?? '' } });
  return handlers;
}

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const __provider = 'exports.handler = …';
const inputs = { zones: { checkout: { ips: ['192.0.2.12', '192.0.2.10'] } }, sources: ['pricing'], __provider };

it('returns the serialized provider with the inputs, and otherwise only properties of the kind', async () => {
  await using test = await openTestStack();
  const handlers = await handlersOf('ZoneIpAllocation', test);
  const checked = await handlers.check({}, inputs);
  expect(checked).toEqual({
    inputs: { ...inputs, zones: { checkout: { ips: ['192.0.2.10', '192.0.2.12'] } } },
    failures: [],
  });
  const { id, outs } = await handlers.create(checked.inputs);
  expect(id).toBe('checkout');
  expect(outs).not.toHaveProperty('__provider');
  expect(await handlers.diff(id, { ...outs, __provider: 'another' }, inputs)).toEqual({ changes: false });
  expect(await handlers.read(id, outs)).toMatchObject({ id, props: outs });
  await handlers.delete(id, outs);
});

it('keeps the state of an update that failed half-way, in the form that the shim reads', async () => {
  await using test = await openTestStack();
  const handlers = await handlersOf('ZoneIpAllocation', test);
  test.emulator.addFault({ route: 'zone/ips/migrate', occurrence: [2], fault: { kind: 'drop-before' } });
  const twoCalls = {
    ...inputs,
    zones: { checkout: { ips: ['192.0.2.10', '192.0.2.77'] } },
    sources: ['pricing', 'archive'],
  };
  const failure = await handlers.create(twoCalls).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    id: 'checkout',
    properties: { __provider, moved: [expect.objectContaining({ to: 'checkout' })] },
    reasons: [expect.any(String), expect.stringContaining('the next `pulumi up` continues from there')],
    stack: '',
  });
});

it('throws without a stack trace and without the key', async () => {
  await using test = await openTestStack();
  test.settings.apiKey = 'canary-key-4711';
  const handlers = await handlersOf('ZoneIpAllocation', test);
  const failure = (await handlers.read('checkout', inputs).catch((error: unknown) => error)) as Error;
  expect(failure).toMatchObject({ stack: '', message: expect.stringContaining('webdata:apiKey') });
  expect(`${failure.message}${failure}`).not.toContain('canary-key-4711');
  expect(failure).toMatchObject({ id: undefined, properties: undefined });
});

it('reports an invalid configuration in every handler, and configures without an error', async () => {
  const handlers = await handlersOf('ZoneIpAllocation', { settings: { apiUrl: 'not a url' } });
  const { failures } = await handlers.check({}, inputs);
  expect(failures).toMatchObject([{ property: '', reason: expect.stringContaining('webdata:apiUrl: ') }]);
  await expect(handlers.diff('checkout', {}, inputs)).rejects.toThrow('webdata:apiUrl');
  await expect(handlers.delete('checkout', inputs)).rejects.toThrow('webdata:apiUrl');
});

it('replaces by deleting first', async () => {
  await using test = await openTestStack();
  const handlers = await handlersOf('WebhookDelivery', test);
  const delivery = { name: 'results', owner: 'shop/dev', endpoint: 'https://hooks.example.com/' };
  const { id, outs } = await handlers.create(delivery);
  expect(await handlers.diff(id, outs, { ...delivery, name: 'other' })).toEqual({
    changes: true,
    replaces: ['name'],
    deleteBeforeReplace: true,
  });
  await handlers.delete(id, outs);
  expect(await handlers.read(id, outs)).toEqual({});
});

it('names the fix for a resource that this version does not have', async () => {
  const { handlersOf: lookUp } = await import('../../providers/runtime/index.ts');
  expect(() => lookUp('Unheard')).toThrow('install the version that created this stack');
});
