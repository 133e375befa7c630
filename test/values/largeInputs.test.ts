import { expect, it, vi } from 'vitest';

it('is called once, when all inputs together have reached the size of a large account', async () => {
  // Other tests of this process have read inputs too.
  vi.resetModules();
  const { beforeLargeInput, reportInput } = await import('../../src/values/largeInputs.ts');
  const limit = vi.fn();
  beforeLargeInput(limit);
  reportInput(200_000);
  expect(limit).not.toHaveBeenCalled();
  reportInput(100_000);
  reportInput(1_000_000);
  expect(limit).toHaveBeenCalledTimes(1);
});
