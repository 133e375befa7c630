/** What the functions of the package return is what their schemas promise: the fronts make their own schemas of these. */
import { expect, it } from 'vitest';
import { callFunction, packageFunctions } from '../../providers/core/functions.ts';
import { openTestStack } from './testStack.ts';

const args: Readonly<Record<string, object>> = { getZoneIps: { zone: 'checkout' }, getAsns: { zone: 'checkout' } };

it.each(Object.entries(packageFunctions))('%s returns what its schema describes', async (name, { outputs }) => {
  await using stack = await openTestStack();
  const returned = await callFunction(name, { ...args[name] }, () => stack.open());
  // Parsing drops what the schema does not have.
  expect(outputs.parse(returned)).toEqual(returned);
});
