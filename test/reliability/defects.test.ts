/** Checks that each defect in docs/evidence/reliability.md names an existing test. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { defects } from '../../reliability/defects.ts';
import { separator, titlesIn } from '../docs/testTitles.ts';

it('names only existing tests', async () => {
  for (const { test } of defects) {
    const [file = '', ...title] = test.split(separator);
    expect(titlesIn(await readFile(file, 'utf8')), file).toContain(title.join(separator));
  }
});
