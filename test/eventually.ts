import { vi } from 'vitest';

/** Repeats a check of something that goes on by itself until it holds. The limit is only for what hangs. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 });
}
