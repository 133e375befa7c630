/** The bundle replaces functions of built-in modules by functions that load the module when they are called. */
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { lazyModule, slowBuiltins } from '../../scripts/bundle/builtins.ts';

const lazily = (name: string): Promise<Record<string, object>> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(lazyModule(name))}`);

describe.each(Object.entries(slowBuiltins))('%s', (name, functions) => {
  it.each(functions)('%s keeps the form that promisify returns', async (one) => {
    const lazy = (await lazily(name))[one] as { [promisify.custom]?: unknown };
    const builtin = (process.getBuiltinModule(name) as unknown as Record<string, typeof lazy>)[one];
    expect(lazy[promisify.custom]).toBe(builtin?.[promisify.custom]);
  });
});

it('execFile resolves to what the program printed', async () => {
  const { execFile } = (await lazily('node:child_process')) as unknown as typeof import('node:child_process');
  const { promisify } = (await lazily('node:util')) as unknown as typeof import('node:util');
  expect(await promisify(execFile)(process.execPath, ['-p', '6 * 7'])).toEqual({ stdout: '42\n', stderr: '' });
});
