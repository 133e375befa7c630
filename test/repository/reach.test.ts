/** The walls of the house: the lines that each entry point reaches by imports, types included. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryPoints } from '../../scripts/house/entryPoints.ts';
import { reachOf } from '../../scripts/house/reach.ts';

const root = join(import.meta.dirname, '../..');
/** The room for ordinary changes. */
const slack = 1000;

it.each(entryPoints)('$name reaches at most $limit lines', ({ file, limit }) => {
  const { lines } = reachOf(file, root);
  expect(
    lines,
    'the reach has grown: import less, or raise the limit in scripts/house/entryPoints.ts with a reason',
  ).toBeLessThanOrEqual(limit);
  expect(limit - lines, 'the reach has become shorter: lower the limit in scripts/house/entryPoints.ts').toBeLessThan(
    slack,
  );
});

it.each(['receive', 'triggers/serve'])('webdata %s reaches no report', (name) => {
  const { files } = reachOf(`src/cli/commands/${name}.ts`, root);
  expect([...files].filter((file) => /^src\/(report|ci|providers)\//.test(file))).toEqual([]);
});
