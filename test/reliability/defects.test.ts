/** Each defect that docs/reliability.md names is held by a test that there is. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { defects } from '../../reliability/defects.ts';
import { separator, titlesIn } from '../docs/testTitles.ts';

it('names only tests that there are', async () => {
  for (const { test } of defects) {
    const [file = '', ...title] = test.split(separator);
    expect(titlesIn(await readFile(file, 'utf8')), file).toContain(title.join(separator));
  }
});
