/** Everything about a kind is behind `Kind` and `CallType`: no file outside of the kinds, the client and the emulator names a call type. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kinds } from '../../src/kinds/knownKinds.ts';

const root = join(import.meta.dirname, '../..');
const types = [...new Set(kinds.flatMap(({ calls }) => calls.map(({ type }) => type)))];
const files = globSync('{src,providers}/**/*.ts', { cwd: root }).filter(
  (file) => !/^src\/(kinds|service|emulator)\//.test(file),
);

it('looks at enough files', () => {
  expect(types).toEqual(['migrate', 'updateSettings', 'deletePorts', 'register', 'unregister']);
  expect(files.length).toBeGreaterThan(200);
});

it.each(files)('%s names no call type', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const names = types.filter((type) => new RegExp(`\\btype\\b\\??\\s*(?::|[!=]==?)\\s*'${type}'`).test(text));
  expect(names).toEqual([]);
});

it.each(['engine', 'report', 'ci'])('src/%s imports no kind of its own', (folder) => {
  const importing = globSync(`src/${folder}/**/*.ts`, { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/import \{[^}]*\} from '[^']*(kinds\/(?!seam\/)\w+\/[^']+)'/g)].map(
      ([, path]) => `${file}: ${path}`,
    );
  });
  expect(importing).toEqual([]);
});
