import { expect, it, vi } from 'vitest';
import { beforeLargeInput, reportInput } from '../../src/values/largeInputs.ts';

it('is called once, when all inputs together have reached the size of a large account', () => {
  const limit = vi.fn();
  beforeLargeInput(limit);
  reportInput(200_000);
  expect(limit).not.toHaveBeenCalled();
  reportInput(100_000);
  reportInput(1_000_000);
  expect(limit).toHaveBeenCalledTimes(1);
});
