import { expect, it, vi } from 'vitest';

it('is called once, when all inputs together have reached the size of a large account', async () => {
  // Other tests of this process have read inputs too.
  vi.resetModules();
  const { beforeLargeInput, reportInput } = await import('../../../src/base/values/largeInputs.ts');
  const limit = vi.fn();
  beforeLargeInput(limit);
  reportInput(200_000);
  expect(limit).not.toHaveBeenCalled();
  reportInput(100_000);
  reportInput(1_000_000);
  expect(limit).toHaveBeenCalledTimes(1);
});

it('is called before a declaration is parsed whose answers will reach that size', async () => {
  vi.resetModules();
  const { beforeLargeInput, reportDeclaration } = await import('../../../src/base/values/largeInputs.ts');
  const limit = vi.fn();
  beforeLargeInput(limit);
  reportDeclaration(50_000);
  expect(limit).not.toHaveBeenCalled();
  reportDeclaration(50_000);
  expect(limit).toHaveBeenCalledTimes(1);
});
