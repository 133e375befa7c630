/** Lists of IPs that are written short: ranges, networks, and files with one item per line. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Config } from '../../../src/engine/declaration/config.ts';
import { loadConfig } from '../../../src/engine/declaration/loadConfig.ts';
import type { ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';
import { temporaryFolder } from '../../temporary.ts';

/** Writes the files, and reads the first one. */
async function load(files: Readonly<Record<string, string>>, ...names: string[]): Promise<Config> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return loadConfig(names.length > 0 ? names : ['webdata.yaml'], { env: {}, folder });
}

async function problemsOf(files: Readonly<Record<string, string>>, ...names: string[]): Promise<string> {
  try {
    await load(files, ...names);
    return '';
  } catch (error) {
    if (error instanceof ProblemError) return formatProblems(error.problems);
    throw error;
  }
}

const withIps = (ips: string) => `zoneIpAllocations:\n  static:\n    zones:\n      checkout:\n        ips:\n${ips}`;
const listed = (...items: string[]) => withIps(items.map((item) => `          - ${item}\n`).join(''));
const ipsIn = ({ declared }: Config) => (declared[0]?.spec as ZoneIpAllocationSpec).zones.checkout?.ips;

const toText = (number: number) => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');

/** An item of a list and the addresses that it stands for. */
const anyItem = fc
  .record({
    start: fc.integer({ min: 2 ** 24, max: 2 ** 32 - 300 }),
    count: fc.integer({ min: 1, max: 40 }),
    form: fc.constantFrom('one', 'range', 'network'),
  })
  .map(({ start, count, form }) => {
    const bits = 32 - (count % 6);
    const size = { one: 1, range: count, network: 2 ** (32 - bits) }[form] ?? 1;
    const first = form === 'network' ? start - (start % size) : start;
    const addresses = Array.from({ length: size }, (_, index) => toText(first + index));
    const text = {
      one: toText(first),
      range: `${toText(first)}-${toText(first + size - 1)}`,
      network: `${toText(first)}/${bits}`,
    };
    return { text: text[form as keyof typeof text], addresses };
  });

/** Conflicts of addresses are not the subject. */
const anyItems = fc
  .array(anyItem, { minLength: 1, maxLength: 12 })
  .filter(
    (items) =>
      new Set(items.flatMap(({ addresses }) => addresses)).size === items.flatMap(({ addresses }) => addresses).length,
  );

describe('ranges, networks and files', () => {
  it('stand for the same addresses as a plain list, in their order, and keep their lines', async () => {
    await fc.assert(
      fc.asyncProperty(anyItems, fc.boolean(), fc.constantFrom('\n', '\r\n'), async (items, isFile, end) => {
        const texts = items.map(({ text }) => text);
        const files: Record<string, string> = isFile
          ? {
              'webdata.yaml': listed('{ file: ips.txt }'),
              'ips.txt': `# all\n${texts.join(' # one\n\n')}\n`.replaceAll('\n', end),
            }
          : { 'webdata.yaml': listed(...texts) };
        const config = await load(files);
        const addresses = items.flatMap((item) => item.addresses);
        expect(ipsIn(config)).toEqual(addresses);
        const lines = items.flatMap((item, index) => item.addresses.map(() => (isFile ? 2 + 2 * index : 6 + index)));
        const places = addresses.map((_, index) => {
          const path = ['zones', 'checkout', 'ips', index];
          return config.locate({ code: '', found: '', path }, ['zoneIpAllocations', 'static']);
        });
        expect(places.map(({ place }) => place?.line)).toEqual(lines);
        expect(places[0]?.place?.file).toBe(isFile ? 'ips.txt' : 'webdata.yaml');
      }),
      { numRuns: 60 },
    );
  });

  it('are also for protected addresses', async () => {
    const { declared } = await load({
      'webdata.yaml': 'zoneIpAllocations: { a: { zones: { z: { count: 1 } }, protect: [192.0.2.8/30] } }',
    });
    const { protect } = declared[0]?.spec as ZoneIpAllocationSpec;
    expect(protect).toEqual(['192.0.2.8', '192.0.2.9', '192.0.2.10', '192.0.2.11']);
  });

  it('are in conflict at their own lines', async () => {
    expect(await problemsOf({ 'webdata.yaml': listed('192.0.2.9', '192.0.2.0-192.0.2.12') })).toMatchInlineSnapshot(`
      "webdata.yaml:7:13: 192.0.2.9 is declared twice
        at: zoneIpAllocations.static.zones.checkout.ips[1]
        allowed: each IP in one place, because it can be in only one zone
        also: webdata.yaml:6:13 is the first declaration"
    `);
    const files = { 'webdata.yaml': listed('{ file: ips/a.txt }'), 'ips/a.txt': '192.0.2.1\n192.0.2.0/30\n' };
    expect(await problemsOf(files)).toMatchInlineSnapshot(`
      "ips/a.txt:2:1: 192.0.2.1 is declared twice
        at: zoneIpAllocations.static.zones.checkout.ips[0]
        allowed: each IP in one place, because it can be in only one zone
        also: ips/a.txt:1:1 is the first declaration"
    `);
  });

  it.each([
    ['192.0.2.40-192.0.2.10', 'webdata.yaml:6:13: 192.0.2.40-192.0.2.10 ends before it begins'],
    ['192.0.2.5/24', 'allowed: the network, 192.0.2.0/24, or the address alone'],
    ['10.0.0.0/8', 'webdata.yaml:6:13: 10.0.0.0/8 has 16777216 addresses'],
    ['2001:db8::/120', '2001:db8::/120, a network, not an address'],
    ['{ file: missing.txt }', "webdata.yaml:6:13: missing.txt can't be read: the file does not exist"],
    ['{ file: empty.txt }', 'webdata.yaml:6:13: empty.txt has no items'],
    ['{ file: wrong.txt }', 'wrong.txt:2:3: foo, not an address'],
    ['{ file: a.txt, files: b.txt }', 'the item does not name a file'],
    ['{ url: "https://lists.example/ips" }', 'fix: let a step before the plan write the list to a file'],
    ['{ command: [sh, -c, "echo 10.0.0.7"] }', 'fix: let a step before the plan write the list to a file'],
    ['{ file: ../outside.txt }', '../outside.txt is outside of the current folder'],
    ['{ file: ../../../../etc/hostname }', 'etc/hostname is outside of the current folder'],
    [
      '{ file: .git/config }',
      '.git/config is outside of the current folder and of the folder of the declaration, or is hidden',
    ],
    ['{ file: /ips/a.txt }', '/ips/a.txt is an absolute path'],
    ['{ file: ips }', "ips can't be read: it is a folder"],
  ])('are refused if they are wrong: %s', async (item, words) => {
    const files = { 'ips/a.txt': '192.0.2.1\n', 'empty.txt': '# none\n\n', 'wrong.txt': '192.0.2.1\n  foo # bar\n' };
    const problems = await problemsOf({ ...files, 'webdata.yaml': listed(item) });
    expect(problems).toContain(words);
    expect(problems).toContain('at: zoneIpAllocations.static.zones.checkout.ips[0]');
  });

  it('are not read through a link that leaves the folder', async () => {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'inside'));
    await writeFile(join(folder, 'secret.txt'), 'hunter2\n');
    await symlink(join(folder, 'secret.txt'), join(folder, 'inside', 'ips.txt'));
    await writeFile(join(folder, 'inside', 'webdata.yaml'), listed('{ file: ips.txt }'));
    const error = await loadConfig(['webdata.yaml'], { env: {}, folder: join(folder, 'inside') }).catch((each) => each);
    expect(formatProblems(error.problems)).toContain('ips.txt is outside of the current folder');
  });
});

describe('included files', () => {
  const allocation = (zone: string, count: number) =>
    `zoneIpAllocations: { ${zone}: { zones: { ${zone}: { count: ${count} } } } }\n`;
  const counts = ({ declared }: Config) =>
    declared.map(({ name, spec }) => [name, (spec as ZoneIpAllocationSpec).zones[name]?.count]);

  it('are merged before the file that includes them, in their order', async () => {
    const config = await load({
      'webdata.yaml': `include: [common/base.yaml, 'zones/*.yaml']\n${allocation('a', 3)}`,
      'common/base.yaml': `include: more.yaml\n${allocation('a', 1)}`,
      'common/more.yaml': allocation('d', 9),
      'zones/c.yaml': allocation('c', 5),
      'zones/b.yaml': allocation('b', 4),
    });
    expect(counts(config)).toEqual([
      ['d', 9],
      ['a', 3],
      ['b', 4],
      ['c', 5],
    ]);
  });

  it('name files relative to themselves', async () => {
    const config = await load({
      'webdata.yaml': 'include: zones/checkout.yaml\n',
      'zones/checkout.yaml': listed('{ file: checkout.txt }'),
      'zones/checkout.txt': '192.0.2.1-192.0.2.3\n',
    });
    expect(ipsIn(config)).toHaveLength(3);
  });

  it('are named in their problems', async () => {
    const wrong = { 'webdata.yaml': 'include: b.yaml\n', 'b.yaml': 'nonsense: 1\n' };
    expect(await problemsOf(wrong)).toContain('b.yaml:1:1: unknown key `nonsense`');
    expect(await problemsOf({ 'webdata.yaml': 'include: 7\n' })).toContain('1:10: `include` is a number 7');
  });
});
