import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = globSync('{src,providers}/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/base/files/'));

/** Returns the files whose code matches. */
function matching(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).sort();
}

/** Files that read only what this package brings along, the system provides, or a check is done on. */
const readers = ['src/engine/run/siblings.ts', 'src/report/html/html.ts', 'src/triggers/server/pageRoutes.ts'];

/** Files that append to a file of GitHub, or write one that no user names. */
const writers = [
  'src/ci/outputs.ts',
  'src/cli/output/reporting.ts',
  'src/engine/backend/folder/machineLock.ts',
  'src/engine/run/siblings.ts',
];

describe('text', () => {
  it('is read through src/base/files/textFile.ts, which refuses what is not UTF-8', () => {
    expect(matching(/\b(readFile|readFileSync)\b[^;]*from 'node:fs|import \{[^}]*\breadFile(Sync)?\b/)).toEqual(
      readers,
    );
    expect(matching(/\.readFile\('utf8'\)|transformToString|await \w+\.text\(\)(?!;? *\/\/)/)).toEqual([
      'src/emulator/account/pages.ts',
      'src/triggers/server/probes.ts',
    ]);
  });

  it('is written through src/base/files/outputFile.ts', () => {
    expect(matching(/import \{[^}]*\b(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)\b/)).toEqual(
      writers,
    );
  });
});
