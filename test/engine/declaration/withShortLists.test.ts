/** Lists that are accepted stay written short: an item stays while all of its values do. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import {
  expandShortLists,
  keyOfFile,
  type ListContent,
  withShortLists,
} from '../../../src/engine/declaration/shortLists.ts';
import { shownProblems } from '../shownProblems.ts';

const path = ['zoneIpAllocations', 'a'];
const place = { file: 'w.yaml', line: 1, column: 1 };

function read(items: string, text: string) {
  const source = readYaml(`zoneIpAllocations: { a: { zones: { b: { ips: [${items}] } }, spare: s } }`, 'w.yaml');
  const files = new Map<string, ListContent | ProblemError>([[keyOfFile('ips.txt', place), { file: 'ips.txt', text }]]);
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

it('problems of several lists are shown together', async () => {
  const { source, files } = read('{ file: ips.txt }, 192.0.2.9-192.0.2.1', '');
  expect(await shownProblems(() => expandShortLists(source, files))).toMatchInlineSnapshot(`
    "w.yaml:1:47: ips.txt has no items
      at: zoneIpAllocations.a.zones.b.ips[0]
      allowed: one item per line
      fix: add the items, or remove the file from the list; for an empty list, write []
    w.yaml:1:66: 192.0.2.9-192.0.2.1 ends before it begins
      at: zoneIpAllocations.a.zones.b.ips[1]
      allowed: 192.0.2.1-192.0.2.9"
  `);
  const failed = new ProblemError([{ code: 'unreadable-file', found: 'it cannot be read', path: ['x'] }]);
  const unreadable = new Map([...files.keys()].map((key) => [key, failed]));
  expect(await shownProblems(() => expandShortLists(read('{ file: ips.txt }', '').source, unreadable))).toBe(
    'zoneIpAllocations.a.zones.b.ips[0]: it cannot be read',
  );
});
