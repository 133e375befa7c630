/** Lists that are accepted stay written short: an item stays while all of its values do. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { keyOfList, remoteListAt } from '../../../src/engine/declaration/remoteLists.ts';
import {
  expandShortLists,
  fetchedListsIn,
  keyOfFile,
  type ListContent,
  namedItems,
  withShortLists,
} from '../../../src/engine/declaration/shortLists.ts';
import { shownProblems } from '../shownProblems.ts';

const path = ['zoneIpAllocations', 'a'];
const place = { file: 'w.yaml', line: 1, column: 1 };
const url = 'https://lists.example/ips';

function read(items: string, text: string, more: Partial<ListContent> = {}) {
  const source = readYaml(`zoneIpAllocations: { a: { zones: { b: { ips: [${items}] } }, spare: s } }`, 'w.yaml');
  const files = new Map<string, ListContent | ProblemError>([[keyOfFile('ips.txt', place), { file: 'ips.txt', text }]]);
  for (const { item, path: at } of namedItems(source)) {
    const list = remoteListAt(item, at, source);
    if (list) files.set(keyOfList(list), { file: list.source, text, fetchedAt: '2026-07-01T10:00:00Z', ...more });
  }
  return { source, files };
}

/** The list as it is written once these IPs are live. */
function accepted(items: string, live: readonly string[], text = '') {
  const { source, files } = read(items, text);
  const fields = { zones: { b: { ips: live } }, spare: 's' };
  const after = withShortLists<typeof fields>(fields, path, source, files);
  expect(after.spare).toBe('s');
  return after.zones.b.ips;
}

const ip = (...last: number[]) => last.map((each) => `192.0.2.${each}`);

describe('an accepted list has', () => {
  it.each<[string, string, number[], unknown[], string?]>([
    ['a range that is live as a whole', '192.0.2.1-192.0.2.3', [1, 2, 3], ['192.0.2.1-192.0.2.3']],
    [
      'the parts of a range that are live',
      '192.0.2.1-192.0.2.6',
      [1, 2, 4, 6],
      ['192.0.2.1-192.0.2.2', '192.0.2.4', '192.0.2.6'],
    ],
    ['nothing of a range that is gone', '192.0.2.1-192.0.2.3, 192.0.2.9', [9], ['192.0.2.9']],
    ['a network', '192.0.2.4/30', [4, 5, 6, 7], ['192.0.2.4/30']],
    ['new IPs at its end', '192.0.2.1-192.0.2.3', [9, 1, 2, 3, 8], ['192.0.2.1-192.0.2.3', '192.0.2.9', '192.0.2.8']],
    [
      'a file that is live as a whole',
      '{ file: ips.txt }, 192.0.2.7',
      [1, 2],
      [{ file: 'ips.txt' }],
      '192.0.2.1-192.0.2.2\n',
    ],
    [
      'the items of a file that is not',
      '{ file: ips.txt }',
      [1, 3],
      ['192.0.2.1', '192.0.2.3'],
      '192.0.2.1-192.0.2.3\n',
    ],
    [
      'a list by URL that is live as a whole',
      `{ url: "${url}" }`,
      [1, 2, 5],
      [{ url }, '192.0.2.5'],
      '192.0.2.1-192.0.2.2\n',
    ],
  ])('%s', (_, items, live, expected, text) => {
    expect(accepted(items, ip(...live), text)).toEqual(expected);
  });

  it('other resources are left alone', () => {
    const { source, files } = read('192.0.2.1-192.0.2.3', '');
    const fields = { zones: { b: { ips: ip(1) } } };
    expect(withShortLists(fields, ['zoneIpAllocations', 'other'], source, files)).toEqual(fields);
  });

  it('a list that is gone stays so', () => {
    const { source, files } = read('192.0.2.1-192.0.2.3', '');
    expect(withShortLists({ zones: {} }, path, source, files)).toEqual({ zones: {} });
  });

  it('no list by URL with items that are not live', async () => {
    const text = '192.0.2.1-192.0.2.9\n';
    expect(
      await shownProblems(() => accepted(`{ url: "${url}" }`, ip(1, 2, 3, 4, 5, 6, 7, 8), text)),
    ).toMatchInlineSnapshot(`
      "w.yaml:1:47: https://lists.example/ips lists 192.0.2.9, and the live state does not have it
        at: zoneIpAllocations.a.zones.b.ips[0]
        allowed: edits that keep the lists that the declaration names
        fix: correct the list where it is kept, write out its items by hand, or apply"
    `);
    const found = async (live: number[]) =>
      /lists (.*)$/m.exec(await shownProblems(() => accepted(`{ url: "${url}" }`, ip(...live), text)))?.[1];
    expect(await found([1, 2, 3, 4])).toBe(
      '192.0.2.5, 192.0.2.6, 192.0.2.7, 192.0.2.8, 192.0.2.9, and the live state does not have them',
    );
    expect(await found([1, 2])).toBe(
      '192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7 and 2 more, and the live state does not have them',
    );
  });
});

describe('a fetched list', () => {
  it('is kept with its source, its time and its items', () => {
    const { source, files } = read(
      `192.0.2.1, { url: "${url}?token=x" }, { file: ips.txt }`,
      '\uFEFF192.0.2.5 # five\n\n# none\n',
    );
    expect(fetchedListsIn(source, files)).toEqual([
      {
        path: 'zoneIpAllocations.a.zones.b.ips[1]',
        source: url,
        fetchedAt: '2026-07-01T10:00:00Z',
        items: ['192.0.2.5'],
      },
    ]);
  });

  it('is not kept if it was skipped or could not be read', () => {
    const { source, files } = read(`{ url: "${url}" }`, '', { isSkipped: true, fetchedAt: undefined as never });
    expect(fetchedListsIn(source, files)).toEqual([]);
    const [key = ''] = [...files.keys()].slice(-1);
    files.set(key, new ProblemError([]));
    expect(fetchedListsIn(source, files)).toEqual([]);
    expect(fetchedListsIn(source, new Map())).toEqual([]);
  });
});

it('items of a file may have comments, spaces and a byte order mark, and keep their places', () => {
  const { source, files } = read(
    '{ file: ips.txt }, 192.0.2.9',
    '\uFEFF192.0.2.1\r\n\r\n   192.0.2.2-192.0.2.3 # two\n#192.0.2.4',
  );
  const expanded = expandShortLists(source, files);
  const list = [...path, 'zones', 'b', 'ips'];
  expect(expanded.value).toMatchObject({ zoneIpAllocations: { a: { zones: { b: { ips: ip(1, 2, 3, 9) } } } } });
  const places = [0, 1, 2, 3].map((index) => expanded.locationOf([...list, index]));
  expect(places.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([
    'ips.txt:1:1',
    'ips.txt:3:4',
    'ips.txt:3:4',
    'w.yaml:1:66',
  ]);
});

it('problems of several lists are shown together, without quoting what was fetched', async () => {
  const { source, files } = read(`{ url: "${url}" }, { file: ips.txt }, 192.0.2.9-192.0.2.1, { file: a, url: b }`, '');
  expect(await shownProblems(() => expandShortLists(source, files))).toMatchInlineSnapshot(`
    "w.yaml:1:47: https://lists.example/ips has no items
      at: zoneIpAllocations.a.zones.b.ips[0]
      allowed: one item per line
      fix: add the items, or remove the file from the list; for an empty list, write []
    w.yaml:1:85: ips.txt has no items
      at: zoneIpAllocations.a.zones.b.ips[1]
      allowed: one item per line
      fix: add the items, or remove the file from the list; for an empty list, write []
    w.yaml:1:104: 192.0.2.9-192.0.2.1 ends before it begins
      at: zoneIpAllocations.a.zones.b.ips[2]
      allowed: 192.0.2.1-192.0.2.9
    w.yaml:1:125: the item does not name a list
      at: zoneIpAllocations.a.zones.b.ips[3]
      allowed: { file: NAME } or { url: URL }
      fix: name one list, with one of the two"
  `);
  const failed = new ProblemError([{ code: 'list-not-fetched', found: 'it was not fetched', path: ['x'] }]);
  const all = new Map([...files.keys()].map((key) => [key, failed]));
  const { source: two } = read(`{ url: "${url}" }, { file: ips.txt }`, '');
  expect(await shownProblems(() => expandShortLists(two, all))).toMatchInlineSnapshot(`
    "w.yaml:1:47: it was not fetched
      at: zoneIpAllocations.a.zones.b.ips[0]
    zoneIpAllocations.a.zones.b.ips[1]: it was not fetched"
  `);
});
