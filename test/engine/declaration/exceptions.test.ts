/** Exceptions of the declaration: which drift they mute, and until when. */
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import {
  type DriftException,
  expiredExceptions,
  resolveExceptions,
  withExceptions,
} from '../../../src/engine/declaration/exceptions.ts';
import type { Declared, Planned } from '../../../src/engine/plan/resources.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';
import { shownProblems } from '../shownProblems.ts';

const today = '2026-07-01';
const words = { reason: 'known', owner: 'network', until: today };

const declared = (name: string, kind = 'ZoneIpAllocation', collection = 'zoneIpAllocations'): Declared =>
  ({
    kind,
    collection,
    name,
    definition: zoneIpAllocation,
    spec: zoneIpAllocation.spec.parse({ zones: { checkout: { ips: ['192.0.2.1'] }, b: { count: 1 } } }),
  }) as unknown as Declared;

const exception = (path: PropertyKey[], until = today): DriftException => ({ ...words, until, path });

describe('an exception', () => {
  const resolve = (written: { path: string }, ...more: Declared[]) =>
    resolveExceptions([{ ...words, ...written }], [declared('main'), ...more]);

  it.each([
    [{ path: 'zoneIpAllocations.main' }, ['zoneIpAllocations', 'main']],
    [{ path: 'zoneIpAllocations.main.zones.checkout' }, ['zoneIpAllocations', 'main', 'zones', 'checkout']],
    // The live list may have more entries than the declared one, and a field need not be declared.
    [
      { path: 'zoneIpAllocations.main.zones.checkout.ips["192.0.2.9"]' },
      ['zoneIpAllocations', 'main', 'zones', 'checkout', 'ips', '192.0.2.9'],
    ],
    [{ path: 'zoneIpAllocations.main.spare' }, ['zoneIpAllocations', 'main', 'spare']],
    [{ path: 'zoneIpAllocations.main.spare.any' }, ['zoneIpAllocations', 'main', 'spare', 'any']],
  ])('names %j', (written, path) => {
    expect(resolve(written)).toEqual({ exceptions: [{ ...words, path }], problems: [] });
  });

  it('that is refused suggests what is near, and at most 10 names', () => {
    const [near] = resolve({ path: 'zoneIpAllocations.mian' }).problems;
    expect(near?.fix).toBe('did you mean `zoneIpAllocations.main`?');
    const [far] = resolve(
      { path: 'nothing' },
      ...Array.from({ length: 12 }, (_, index) => declared(`n${index}`)),
    ).problems;
    expect(far?.allowed?.split(', ')).toHaveLength(10);
    expect(far?.fix).toBe('correct it, or remove the exception');
    expect(resolveExceptions([{ ...words, path: 'a.b' }], []).problems).toMatchObject([
      { allowed: 'a declared resource, or a part of one' },
    ]);
  });
});

it('an exception that names something undeclared is refused with what is declared', async () => {
  const refusal = (written: { path: string }, ...resources: Declared[]) => {
    const { problems } = resolveExceptions([{ ...words, ...written }], resources);
    return formatProblems(problems);
  };
  const main = declared('main');
  expect(refusal({ path: 'zoneIpAllocations.mian.zones' }, main)).toMatchInlineSnapshot(`
    "exceptions[0].path: path \`zoneIpAllocations.mian.zones\` is not declared
      allowed: such as zoneIpAllocations.main
      fix: did you mean \`zoneIpAllocations.main\`?"
  `);
  expect(refusal({ path: 'a b[' }, main)).toMatchInlineSnapshot(`
    "exceptions[0].path: \`a b[\` is not a path
      allowed: a path as reports print it; keys other than words are quoted: \`zoneIpAllocations.main.zones.checkout.ips["192.0.2.10"]\`"
  `);
});

it('exceptions are resolved one by one, with the index of each in problems', () => {
  const written = [{ path: 'zoneIpAllocations.main' }, { path: 'x.y' }, { path: 'zoneIpAllocations.main.protect[3]' }];
  const { exceptions, problems } = resolveExceptions(
    written.map((each) => ({ ...words, ...each })),
    [declared('main'), declared('other', 'ManagerSettings', 'managerSettings')],
  );
  expect(exceptions.map(({ path }) => path)).toEqual([
    ['zoneIpAllocations', 'main'],
    ['zoneIpAllocations', 'main', 'protect', 3],
  ]);
  expect(problems.map(({ path }) => path)).toEqual([['exceptions', 1, 'path']]);
});

describe('in the file, an exception', () => {
  const refusal = (fields: string) =>
    shownProblems(() =>
      configOf(
        readYaml(
          `zoneIpAllocations: { a: { zones: { b: { count: 1 } } } }\nexceptions:\n  - { ${fields} }\n`,
          'w.yaml',
        ),
        { env: {} },
      ),
    );
  it('has a reason, an owner and a day', async () => {
    const target = 'path: zoneIpAllocations.a';
    expect(await refusal(`${target}, reason: " ", owner: network, until: 2030-02-30`)).toMatchInlineSnapshot(`
      "w.yaml:3:42: \`reason\` is blank
        at: exceptions[0].reason
        allowed: at least 1 character
      w.yaml:3:70: \`until\` is a string "2030-02-30"
        at: exceptions[0].until
        allowed: a date such as 2026-01-31"
    `);
  });
});

describe('a day after its end, an exception', () => {
  it('has expired, and its last day is not', () => {
    const expired = (until: string) =>
      expiredExceptions({ exceptions: [exception(['a', 'b'], until)], locate: (problem) => problem }, today);
    expect(expired('2026-07-01')).toEqual([]);
    expect(expired('2026-06-30')).toEqual([
      {
        code: 'expired-exception',
        path: ['exceptions', 0, 'until'],
        found: 'the exception for a.b (known; network) has expired: its drift counts again',
        allowed: 'a date from 2026-07-01 on',
        fix: 'end the drift and remove the exception, or agree on a later date',
      },
    ]);
    const prefixes: unknown[] = [];
    expiredExceptions(
      {
        exceptions: [exception(['a', 'b']), exception(['a', 'c'], '2026-06-30')],
        locate: (problem, prefix) => {
          prefixes.push(prefix, problem.path);
          return problem;
        },
      },
      today,
    );
    expect(prefixes).toEqual([[], ['exceptions', 1, 'until']]);
  });
});

describe('an exception mutes', () => {
  const cause = (...path: PropertyKey[]) => ({ path, kind: 'change' as const, cause: 'drift' as const });
  const planned = (collection = 'zoneIpAllocations', name = 'main') =>
    ({
      plan: {
        collection,
        name,
        causes: [cause('zones', 'checkout', 'ips'), cause('zones', 'b')],
        notes: [
          { code: 'unmanaged', text: '', path: ['zones', 'checkout'] },
          { code: 'empty-zone', text: '', path: ['zones', 'checkout'] },
          { code: 'overdue', text: '' },
        ],
      },
    }) as unknown as Planned;

  const muted = (path: PropertyKey[], { each = planned(), until = today, strict = false } = {}) => {
    const [after] = withExceptions([each], [exception(path, until)], { today, strict });
    const isMuted = (item: { muted?: unknown }) => item.muted !== undefined;
    return { causes: after?.plan.causes?.map(isMuted), notes: after?.plan.notes.map(isMuted) };
  };

  const main = ['zoneIpAllocations', 'main'];

  it.each([
    ['the whole resource', main, [true, true]],
    ['a part of it, and what is below', [...main, 'zones', 'checkout'], [true, false]],
    ['nothing above its part', [...main, 'zones', 'b', 'ips'], [false, false]],
    ['nothing of another resource', ['zoneIpAllocations', 'other'], [false, false]],
    ['nothing of another kind with the same name', ['managerSettings', 'main'], [false, false]],
  ])('%s', (_, path, causes) => {
    expect(muted(path).causes).toEqual(causes);
  });

  it('on its last day, and not later', () => {
    expect(muted(main, { until: today }).causes).toEqual([true, true]);
    expect(muted(main, { until: '2026-06-30' }).causes).toEqual([false, false]);
  });

  it('unmanaged IPs where they count as drift, and no other note of a zone', () => {
    expect(muted(main).notes?.slice(0, 2)).toEqual([false, false]);
    expect(muted(main, { strict: true }).notes?.slice(0, 2)).toEqual([true, false]);
    expect(muted([...main, 'zones', 'b'], { strict: true }).notes?.slice(0, 2)).toEqual([false, false]);
  });

  it('a note that is drift by itself, for the whole resource only', () => {
    expect(muted(main).notes?.[2]).toBe(true);
    expect(muted([...main, 'zones', 'b']).notes?.[2]).toBe(false);
  });

  it('with its reason, its owner and its end', () => {
    const [after] = withExceptions([planned()], [exception(main)], { today });
    expect(after?.plan.causes?.[0]).toEqual({ ...cause('zones', 'checkout', 'ips'), muted: words });
  });
});
