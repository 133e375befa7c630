/** Paid calls are shown before they are sent, once: also of a resource that no preview has shown. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource, deleteResource, diffResource, updateResource } from '../../providers/core/lifecycle.ts';
import { openStack, type Stack } from '../../providers/core/stack.ts';
import { Provider } from '../../providers/plugin/provider.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { migrationsOf } from '../cli/harness.ts';
import { kindNamed, openTestStack, type TestStack } from './testStack.ts';

const kind = kindNamed('ZoneIpAllocation');
/** Each takes one IP of `pricing` or `parked`. */
const toCheckout = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };
const toArchive = { zones: { archive: { ips: ['198.51.100.30'] } }, sources: ['parked'] };

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

/** The shown messages, each with the number of moves that were sent before it. */
let shown: { text: string; sentBefore: number }[];
beforeEach(() => {
  shown = [];
});

/** Opens the provider of a preview or an update. */
function process(): Stack {
  const show = (text: string) => {
    shown.push({ text, sentBefore: migrationsOf(test.emulator.requests()).length });
    return true;
  };
  return openStack((key) => test.settings[key.replace(/^webdata:/, '')], { print: async (text) => show(text) });
}

async function created(stack: Stack, inputs: Properties): Promise<Properties> {
  await checkInputs(kind, {}, inputs, () => stack);
  return (await createResource(stack, kind, inputs)).properties;
}

const withMoves = () => shown.filter(({ text }) => /IP {2}from/.test(text));

describe('moves', () => {
  it('of a resource that is declared after another one was written are shown before they are sent', async () => {
    const stack = process();
    await created(stack, toCheckout);
    await created(stack, toArchive);
    expect(withMoves()).toEqual([
      { sentBefore: 0, text: expect.stringMatching(/1 IP moves.*may incur charges[\s\S]*from pricing {2}to checkout/) },
      { sentBefore: 1, text: expect.stringMatching(/1 IP moves.*may incur charges[\s\S]*from parked {2}to archive/) },
    ]);
  });

  it('of an existing resource that is compared after another one was written are shown too', async () => {
    const stack = process();
    await created(stack, toCheckout);
    await diffResource(stack, kind, toArchive, toArchive);
    await updateResource(stack, kind, 'archive', toArchive, toArchive);
    expect(withMoves().map(({ sentBefore }) => sentBefore)).toEqual([0, 1]);
  });

  it('of a delete are shown before they are sent', async () => {
    const releasing = { ...toCheckout, spare: 'parked', onDelete: 'release' };
    const state = await created(process(), releasing);
    shown = [];
    await deleteResource(process(), kind, state);
    expect(withMoves()).toEqual([{ sentBefore: 1, text: expect.stringMatching(/from checkout {2}to parked/) }]);
  });
});

describe('the native provider', () => {
  const resource = { kind: 'ZoneIpAllocation', urn: 'urn:pulumi:dev::p::webdata:index:ZoneIpAllocation::a' };
  const news = { values: toCheckout, secrets: [] };

  it('shows moves as views in a preview, and logs them in the update that sends them', async () => {
    const logged: string[] = [];
    const provider = new Provider({ version: '0.0.0', log: async (text) => void logged.push(text) });
    const moves = () => logged.filter((text) => /from pricing {2}to checkout/.test(text));
    provider.handshake({ supportsViews: true });
    provider.configure({ values: test.settings, secrets: [] });
    const { inputs } = await provider.check(resource, { values: {}, secrets: [] }, news);
    await provider.create(resource, news, { isPreview: true, ignoreChanges: [], show: async () => true });
    expect(moves()).toEqual([]);
    provider.configure({ values: test.settings, secrets: [] });
    await provider.create(resource, inputs, { isPreview: false, ignoreChanges: [], show: async () => false });
    expect(moves()).toHaveLength(1);
  });
});
