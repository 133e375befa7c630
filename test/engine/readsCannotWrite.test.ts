/** A kind that writes where it should only look: the transport refuses, whichever command looks. */
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { addKind } from '../../src/kinds/knownKinds.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { Kind } from '../../src/kinds/seam/kind.ts';
import { type Harness, openHarness, writesOf } from '../cli/harness.ts';

const nothingToDo = { changes: [], calls: [], notes: [], problems: [] };

const spec = z.strictObject({ logs: z.int() }).describe('A number of request logs.');

/** Sets what it should compare. */
const careless: Kind<z.output<typeof spec>, object> = {
  name: 'Careless',
  collection: 'careless',
  spec,
  calls: [],
  guards: { scopes: {}, broken: () => [], couldMake: () => false },
  conflicts: () => [],
  concurrencyKey: () => 'careless',
  observe: ({ logs }, context) => write(logs, context),
  diff: () => nothingToDo,
  fingerprint: () => ({}),
  converge: async () => ({}),
  removal: { diff: () => nothingToDo, send: async () => undefined },
};

async function write(logs: number, context: Context): Promise<object> {
  await context.manager(undefined).updateSettings({ logs });
  await context.client().zones.migrate({ from: 'pricing', to: 'checkout', ips: ['192.0.2.1'] });
  return {};
}

let harness: Harness;

beforeEach(async () => {
  onTestFinished(addKind(careless));
  harness = await openHarness('plain');
  onTestFinished(() => harness[Symbol.asyncDispose]());
  await harness.write('webdata.yaml', 'careless: { it: { logs: 7 } }\n');
});

it.each([
  ['plan'],
  ['plan', '--output', 'plan.json'],
  ['drift'],
  ['drift', '--accept', '--yes'],
  ['ci', 'plan'],
])('%s %s sends nothing for a kind that writes while it observes', async (...args) => {
  const { code, stdout, stderr } = await harness.webdata(...args);
  expect({ code, text: stdout + stderr }).toMatchObject({
    code: 1,
    text: expect.stringContaining('a session that only reads cannot send PUT'),
  });
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});
