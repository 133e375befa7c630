// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { problemIssue, valueProblems } from '../../../src/base/diagnostics/zodProblems.ts';
import { locate, parseWith } from '../../../src/base/yaml/parseWith.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';

const country = z
  .string()
  .regex(/^[a-z]{2}$/, 'must be a country code of two letters')
  .meta({ title: 'country' });

const zone = z.strictObject({
  ips: z.array(z.ipv4()).optional(),
  count: z.union([z.int().min(0), z.record(country, z.int().min(0))]).optional(),
  keepAtLeast: z.int().min(0).default(0),
});

const delivery = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('webhook'), endpoint: z.url() }),
  z.strictObject({ type: z.literal('s3'), bucket: z.string() }),
]);

const spec = z.strictObject({
  zones: z.record(z.string().regex(/^\S+$/, 'must be a name without spaces'), zone).optional(),
  unmanaged: z.enum(['report', 'release']).default('report'),
  maxMoves: z.union([z.int().min(0), z.string().regex(/^\d+%$/, 'must be a share such as "20%"')]).optional(),
  port: z.int().min(1).max(65535).optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  ssl: z.boolean().optional(),
  name: z.string().min(3).optional(),
  secret: z.string().min(8).meta({ writeOnly: true }).optional(),
  list: z.array(z.string()).min(1).optional(),
  delivery: delivery.optional(),
  what: z
    .union([z.strictObject({ collector: z.string() }), z.strictObject({ dataset: z.string(), format: z.string() })])
    .optional(),
  address: z.union([z.ipv4(), z.ipv6()]).optional(),
  cron: z
    .string()
    .refine((text) => text.split(' ').length === 5, 'must be five fields')
    .optional(),
});

const ENV = { PORT: '99999', KEY: '12345678', WORD: 'hunter22' };

function reportOn(schema: z.ZodType, text: string, path: PropertyKey[] = []): string {
  const parsed = parseWith(schema, readYaml(text, 'w.yaml', { env: ENV }), path);
  return parsed.ok ? JSON.stringify(parsed.value) : formatProblems(parsed.problems);
}

describe('parseWith', () => {
  it.each<[string, string]>([
    ['port: 80', '{"unmanaged":"report","port":80}'],
    [
      'zones: {archive: {keepAtLest: 5}}',
      'w.yaml:1:19: unknown key `keepAtLest` in `archive`\n  at: zones.archive.keepAtLest\n' +
        '  allowed: ips, count or keepAtLeast\n  fix: did you mean `keepAtLeast`?',
    ],
    // The valid name that is nearest is there already.
    [
      'zones: {archive: {count: 1, counts: 5}}',
      'w.yaml:1:29: unknown key `counts` in `archive`\n  at: zones.archive.counts\n' +
        '  allowed: ips, count or keepAtLeast\n  fix: remove it',
    ],
    [
      'zones:\n  a b: {}',
      'w.yaml:2:3: `a b` cannot be a name here\n  at: zones["a b"]\n  allowed: a name without spaces',
    ],
    [
      'port: "10"',
      'w.yaml:1:7: `port` is a string "10"\n  allowed: an integer from 1 to 65535\n  fix: remove the quotes: 10',
    ],
    ['port: 1.5', 'w.yaml:1:7: `port` is a number 1.5\n  allowed: an integer from 1 to 65535'],
    ['port: 0', 'w.yaml:1:7: `port` is a number 0\n  allowed: an integer from 1 to 65535'],
    ['port: ${PORT}', 'w.yaml:1:7: `port` is a number ${PORT}\n  allowed: an integer from 1 to 65535'],
    ['ratio: 1', 'w.yaml:1:8: `ratio` is a number 1\n  allowed: a number above 0 and below 1'],
    ['ssl: yes', 'w.yaml:1:6: `ssl` is a string "yes"\n  allowed: true or false\n  fix: write true, without quotes'],
    ['name: 010', 'w.yaml:1:7: `name` is a number 010\n  allowed: a string\n  fix: put it in quotes: "010"'],
    ['name: ${KEY}', 'w.yaml:1:7: `name` is a number ${KEY}\n  allowed: a string\n  fix: put it in quotes: "${KEY}"'],
    ['name:', 'w.yaml:1:1: `name` is nothing (null)\n  allowed: a string\n  fix: give it a value, or remove the line'],
    ['name: [a]', 'w.yaml:1:7: `name` is a list\n  allowed: a string'],
    ['name: ab', 'w.yaml:1:7: `name` has 2 characters\n  allowed: at least 3 characters'],
    ['secret: 12345678', 'w.yaml:1:9: `secret` is a number\n  allowed: a string\n  fix: put it in quotes'],
    ['list: a', 'w.yaml:1:7: `list` is a string "a"\n  allowed: a list of strings\n  fix: write it as a list: [a]'],
    ['list: []', 'w.yaml:1:7: `list` has 0 items\n  allowed: at least 1 item'],
    ['list: [a, {b: c}]', 'w.yaml:1:11: `list[1]` is a map\n  at: list[1]\n  allowed: a string'],
    [
      'zones: [a]',
      'w.yaml:1:8: `zones` is a list\n  allowed: a map from name to map\n  fix: write `name: value` lines, without `- `',
    ],
    ['- a', 'w.yaml:1:1: the value is a list\n  allowed: a map\n  fix: write `name: value` lines, without `- `'],
    [
      'unmanaged: relase',
      'w.yaml:1:12: `unmanaged` is a string "relase"\n  allowed: report or release\n  fix: did you mean `release`?',
    ],
    [
      'zones: {a: {ips: [1.2.3]}}',
      'w.yaml:1:19: `ips[0]` is a string "1.2.3"\n  at: zones.a.ips[0]\n  allowed: an IPv4 address',
    ],
    ['cron: daily', 'w.yaml:1:7: `cron` is a string "daily"\n  allowed: five fields'],
    ['cron: ${WORD}', 'w.yaml:1:7: `cron` is a string "${WORD}"\n  allowed: five fields'],
  ])('%j', (text, report) => {
    expect(reportOn(spec, text)).toBe(report);
  });

  it('parses a part of a file, and names and places what is wrong by the whole path', () => {
    const text = 'allocations:\n  static:\n    port: x';
    expect(reportOn(spec, text, ['allocations', 'static'])).toBe(
      'w.yaml:3:11: `port` is a string "x"\n  at: allocations.static.port\n  allowed: an integer from 1 to 65535',
    );
    expect(reportOn(spec, text, ['allocations', 'nope'])).toBe(
      'w.yaml:1:1: `nope` is missing\n  at: allocations.nope\n  allowed: a map\n  fix: add `nope: …` here',
    );
  });

  it('names an item of a list that a program left without a value', () => {
    expect(valueProblems(z.array(z.string()), ['a', undefined])).toMatchObject([
      { fix: 'give the item a value, or leave it out' },
    ]);
  });

  it('places a missing key where it should stand, unless it is there, misspelt', () => {
    const schema = z.strictObject({ hook: z.strictObject({ endpoint: z.url(), zone: z.string() }) });
    expect(reportOn(schema, 'hook:\n  endpiont: a')).toBe(
      'w.yaml:1:1: `zone` is missing\n  at: hook.zone\n  allowed: a string\n  fix: add `zone: …` here\n' +
        'w.yaml:2:3: unknown key `endpiont` in `hook`\n  at: hook.endpiont\n' +
        '  allowed: endpoint or zone\n  fix: did you mean `endpoint`?',
    );
  });

  it('leaves out a rule about a whole map of which one key is not known', () => {
    const schema = z.strictObject({
      hook: z
        .strictObject({ endpoint: z.string().optional(), ids: z.array(z.string()).optional() })
        .superRefine((hook, context) => {
          if (hook.endpoint === undefined) problemIssue(context, { code: 'nothing', found: 'a hook without a target' });
          if (hook.ids?.length === 0) problemIssue(context, { code: 'no-ids', path: ['ids'], found: 'no ids' });
        }),
    });
    expect(reportOn(schema, 'hook: {endpoin: a, ids: []}')).toBe(
      'w.yaml:1:8: unknown key `endpoin` in `hook`\n  at: hook.endpoin\n  allowed: endpoint or ids\n' +
        '  fix: did you mean `endpoint`?\nw.yaml:1:25: no ids\n  at: hook.ids',
    );
    expect(reportOn(schema, 'hook: {}')).toBe('w.yaml:1:7: a hook without a target');
  });

  it('reports a hundred thousand problems within seconds', () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}`);
    const value = Object.fromEntries(keys.map((key) => [key, 1]));
    const schema = z.strictObject({ zone: z.string() });
    expect(valueProblems(schema, value)).toHaveLength(100_001);
  });
});

describe('unions', () => {
  const COUNT = '  allowed: an integer of at least 0, or a map from country to integer of at least 0';

  it('has the words of its author where two branches are as likely', () => {
    const lag = z.union([z.strictObject({ ms: z.number() }), z.strictObject({ listings: z.int() })], 'must be a lag');
    expect(reportOn(z.object({ lag }), 'lag: {seconds: 5}')).toBe('w.yaml:1:6: `lag` is a map\n  allowed: a lag');
    expect(reportOn(z.object({ lag }), 'lag: {lisitngs: 5}')).toBe(
      'w.yaml:1:7: unknown key `lisitngs` in `lag`\n  at: lag.lisitngs\n' +
        '  allowed: listings\n  fix: did you mean `listings`?',
    );
  });

  it.each<[string, string]>([
    [
      'zones: {a: {count: "10"}}',
      `w.yaml:1:20: \`count\` is a string "10"\n  at: zones.a.count\n${COUNT}\n  fix: remove the quotes: 10`,
    ],
    ['zones: {a: {count: -1}}', `w.yaml:1:20: \`count\` is a number -1\n  at: zones.a.count\n${COUNT}`],
    [
      'zones: {a: {count: {us: x}}}',
      'w.yaml:1:25: `us` is a string "x"\n  at: zones.a.count.us\n  allowed: an integer of at least 0',
    ],
    [
      'zones: {a: {count: {USA: 1}}}',
      'w.yaml:1:21: `USA` cannot be a name here\n  at: zones.a.count.USA\n  allowed: a country code of two letters',
    ],
    [
      'maxMoves: "20"',
      'w.yaml:1:11: `maxMoves` is a string "20"\n  allowed: an integer of at least 0, or a share such as "20%"',
    ],
    ['address: x', 'w.yaml:1:10: `address` is a string "x"\n  allowed: an IPv4 address, or an IPv6 address'],
    ['what: 5', 'w.yaml:1:7: `what` is a number 5\n  allowed: a map'],
    // The branch with the fewest problems is the one that was meant.
    [
      'what: {colector: a}',
      'w.yaml:1:8: unknown key `colector` in `what`\n  at: what.colector\n  allowed: collector\n  fix: did you mean `collector`?',
    ],
    [
      'what: {collector: a, format: b}',
      'w.yaml:1:22: unknown key `format` in `what`\n  at: what.format\n  allowed: collector\n  fix: remove it',
    ],
    [
      'delivery: {type: webhok}',
      'w.yaml:1:18: `type` is a string "webhok"\n  at: delivery.type\n  allowed: webhook or s3\n  fix: did you mean `webhook`?',
    ],
    [
      'delivery: {}',
      'w.yaml:1:1: `type` is missing\n  at: delivery.type\n  allowed: webhook or s3\n  fix: add `type: …` here',
    ],
    [
      'delivery: {type: s3, bucket: b, endpoint: c}',
      'w.yaml:1:33: unknown key `endpoint` in `delivery`\n  at: delivery.endpoint\n  allowed: type or bucket\n  fix: remove it',
    ],
  ])('%j', (text, report) => {
    expect(reportOn(spec, text)).toBe(report);
  });
});

describe('problemIssue', () => {
  const checked = z.object({ ips: z.array(z.string()) }).check((ctx) => {
    const [first] = ctx.value.ips;
    problemIssue(ctx, {
      code: 'ip-declared-twice',
      found: `${first} is declared twice`,
      allowed: 'each IP once',
      fix: `remove one, ${first}`,
      path: ['ips', 1],
      also: [{ path: ['ips', 0], what: 'declared first' }],
    });
  });

  it('passes a whole problem through, its paths and places included', () => {
    const source = readYaml('zone:\n  ips: [a, b]', 'w.yaml');
    expect(parseWith(z.object({ zone: checked }), source)).toEqual({
      ok: false,
      problems: [
        {
          code: 'ip-declared-twice',
          found: 'a is declared twice',
          allowed: 'each IP once',
          fix: 'remove one, a',
          path: ['zone', 'ips', 1],
          place: { file: 'w.yaml', line: 2, column: 12 },
          also: [{ path: ['zone', 'ips', 0], what: 'declared first', place: { file: 'w.yaml', line: 2, column: 9 } }],
        },
      ],
    });
  });

  it('shows the name of a variable where a check shows what it held', () => {
    const report = reportOn(
      z.object({ ips: checked.shape.ips, zone: checked }),
      'ips: []\nzone: {ips: ["${WORD}", b]}',
    );
    expect(report).toContain('${WORD} is declared twice');
    expect(report).not.toContain(ENV.WORD);
  });

  it('shows ordinary words that another variable happens to hold', () => {
    const schema = z.object({ a: z.string(), b: z.boolean(), c: z.array(z.string()) });
    const source = readYaml('a: "${A} ${T}"\nb: maybe\nc: true', 'w.yaml', { env: { A: 'true', T: 'list' } });
    const parsed = parseWith(schema, source);
    expect(parsed.ok || parsed.problems.map(({ found, allowed }) => `${found}; ${allowed}`)).toEqual([
      '`b` is a string "maybe"; true or false',
      '`c` is a boolean true; a list of strings',
    ]);
  });
});

it('locate puts a path of a spec under the path of its resource', () => {
  const source = readYaml('a:\n  b:\n    c: 1', 'w.yaml');
  expect(locate({ code: 'x', found: 'x', path: ['c'], at: 'key' }, source, ['a', 'b'])).toEqual({
    code: 'x',
    found: 'x',
    path: ['a', 'b', 'c'],
    at: 'key',
    place: { file: 'w.yaml', line: 3, column: 5 },
  });
});
