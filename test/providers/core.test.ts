/** The core of the providers, which every front shares. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('does not import the SDK of one front', () => {
  const files = globSync('{providers/core,src/kinds}/**/*.ts');
  expect(files).toContain('providers/core/lifecycle.ts');
  expect(files.filter((file) => readFileSync(file, 'utf8').includes("'@pulumi/pulumi"))).toEqual([]);
});
