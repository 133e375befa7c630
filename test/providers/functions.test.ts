/** What the functions of the package return is what their schemas promise: the fronts make their own schemas of these. */
import { expect, it } from 'vitest';
import { callFunction, packageFunctions } from '../../providers/core/functions.ts';
import { owner } from '../triggers/serving.ts';
import { openTestStack } from './testStack.ts';

const args: Readonly<Record<string, object>> = {
  getZoneIps: { zone: 'checkout' },
  getAsns: { zone: 'checkout' },
  getSchedules: { owner },
};

const nightly = { collector: 'c_prices', cron: '0 3 * * *', inputs: [{ url: 'https://shop.example.com/a' }] };

it.each(Object.entries(packageFunctions))('%s returns what its schema describes', async (name, { outputs }) => {
  await using stack = await openTestStack();
  await stack.serving.call('PUT', `/v1/owners/${owner}/schedules/nightly`, nightly);
  const returned = await callFunction(name, { ...args[name] }, () => stack.open());
  // Parsing drops what the schema does not have.
  expect(outputs.parse(returned)).toEqual(returned);
  expect(Object.values(returned).flat()).not.toHaveLength(0);
});
