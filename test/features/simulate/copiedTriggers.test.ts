/** The copy of the trigger service answers as the service does, and refuses what it refuses. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { copyTriggers } from '../../../src/features/simulate/copiedTriggers.ts';
import type { TriggersClient } from '../../../src/triggers/api/triggersClient.ts';
import { createTriggersClient } from '../../../src/triggers/client.ts';
import { openServing, owner, type Serving, token, webhook, yearly } from '../../triggers/serving.ts';

let serving: Serving;
let real: TriggersClient;
let copy: TriggersClient;

beforeAll(async () => {
  serving = await openServing();
  real = createTriggersClient({ url: serving.url, token });
  await real.putDelivery(owner, 'before', webhook());
  await real.putSchedule(owner, 'old', yearly({ delivery: 'before' }));
  await real.runNow(owner, 'old');
  copy = copyTriggers(() => real).client();
  await copy.records(owner);
});

afterAll(async () => {
  await real.close();
  await serving[Symbol.asyncDispose]();
});

/** In this order: each call meets what the earlier ones have left. */
const calls: Record<string, (client: TriggersClient) => Promise<unknown>> = {
  'a schedule without its delivery': (client) => client.putSchedule(owner, 'nightly', yearly({ delivery: 'results' })),
  'a delivery with a secret': (client) =>
    client.putDelivery(owner, 'results', webhook({ authorization: 'Bearer abc' })),
  'a schedule': (client) => client.putSchedule(owner, 'nightly', yearly({ delivery: 'results' })),
  'a paused schedule': (client) => client.putSchedule(owner, 'paused', yearly({ paused: true })),
  'a change of a schedule that has run': (client) => client.putSchedule(owner, 'old', yearly({ catchUp: 'latest' })),
  'the removal of a delivery in use': (client) => client.deleteDelivery(owner, 'results'),
  'the removal of a schedule': (client) => client.deleteSchedule(owner, 'nightly'),
  'its second removal': (client) => client.deleteSchedule(owner, 'nightly'),
  'the removal of a delivery': (client) => client.deleteDelivery(owner, 'results'),
  'its second removal, too': (client) => client.deleteDelivery(owner, 'results'),
  'the records': (client) => client.records(owner),
};

it('answers every call as the service does', async () => {
  for (const [call, make] of Object.entries(calls)) {
    expect({ call, answer: await answerTo(make(copy)) }).toEqual({ call, answer: await answerTo(make(real)) });
  }
});

/** Without what differs from one registration to the next: times and the salts of secrets. */
async function answerTo(call: Promise<unknown>): Promise<unknown> {
  const answer = await call.catch((error: unknown) => {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  });
  const hidden = ['changedAt', 'salt', 'hash'];
  return JSON.parse(JSON.stringify(answer, (name, value) => (hidden.includes(name) ? 'hidden' : value)));
}
