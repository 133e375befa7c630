/** A feature can be removed as one folder, its file in each kind, and its line in the list of commands. */
import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importedBy } from '../../scripts/house/reach.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{src,providers}/**/*.ts', { cwd: root });

it.each(
  readdirSync(join(root, 'src/features')),
)('only the list of commands and the kinds import features/%s', (name) => {
  const folder = `src/features/${name}/`;
  const importing = files.filter(
    (file) => !file.startsWith(folder) && importedBy(file, root).some((imported) => imported.startsWith(folder)),
  );
  expect(importing.filter((file) => !file.startsWith('src/kinds/'))).toEqual(['src/cli/commands.ts']);
});
