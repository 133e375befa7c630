/** What `node scripts/docs.ts` writes is in the repository as it would be written now. */

import { expect, it } from 'vitest';
import { generated, textOf } from '../../scripts/docs.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import { noteTypes } from '../../src/kinds/seam/noteTypes.ts';

const files = await generated();

it.each([...files.keys()])('%s is current (if not: node scripts/docs.ts)', (file) => {
  expect(textOf(file)).toBe(files.get(file));
});

it('lists the calls and the notes of each kind', () => {
  const page = files.get('docs/declaration.md') ?? '';
  for (const kind of kinds) {
    const { collection, calls } = kind;
    const [, its = ''] = page.split(`<!-- begin generated: ${collection}.calls -->`);
    const [own = ''] = its.split('\n## ');
    for (const { type } of calls) expect(own).toContain(`| \`${type}\` |`);
    for (const { code } of noteTypes.of(kind) ?? []) expect(own).toContain(`| \`${code}\` |`);
  }
});

it('has a table for the file, for each kind and for the profile', () => {
  const page = files.get('docs/declaration.md') ?? '';
  const tables = [...page.matchAll(/<!-- begin generated: (\S+) -->\n\| field/g)].map(([, name]) => name);
  expect(tables.sort()).toEqual([
    'collectorSchedules',
    'file',
    'managerSettings',
    'service.profile',
    'webhookDeliveries',
    'zoneIpAllocations',
  ]);
});
