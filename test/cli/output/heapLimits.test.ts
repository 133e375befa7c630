/** Limits on the heap are for processes of `webdata`: e2e/large.test.ts has their effect. */
import { expect, it, vi } from 'vitest';
import { beforeLargeInput, reportInput } from '../../../src/base/values/largeInputs.ts';
import { openDeclared } from '../harness.ts';

it('a command that another program runs leaves the heap of the process as it is', async () => {
  const limit = vi.fn();
  beforeLargeInput(limit);
  await using harness = await openDeclared('plain', 'managerSettings: { local: { logs: 500 } }\n');
  expect(await harness.webdata('plan')).toMatchObject({ code: 0 });
  reportInput(1_000_000);
  expect(limit).toHaveBeenCalledOnce();
});
