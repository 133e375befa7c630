import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const declaration = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

it('no two files export the same name', () => {
  const files = globSync('{src,providers}/**/*.ts', { cwd: root });
  const exports = files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    // The overloads of one function have one name.
    return [...new Set([...code.matchAll(declaration)].map(([, name = '']) => name))].map((name) => ({ file, name }));
  });
  const twice = [...Map.groupBy(exports, ({ name }) => name)].filter(([, its]) => its.length > 1);
  expect(twice.map(([name, its]) => `${name}: ${its.map(({ file }) => file).join(', ')}`)).toEqual([]);
});
