/** Small inputs that expand when parsed: deep or wide nesting, references, long numbers, and gzip bombs. */
import { gzipSync } from 'node:zlib';
import type { Random } from './random.ts';

export function yamlBomb(random: Random): string {
  const many = 10 ** (2 + random.below(3)) * (1 + random.below(9));
  return random.pick<() => string>([
    () => `a: ${'['.repeat(many)}`,
    () => `a: ${'['.repeat(many)}${']'.repeat(many)}`,
    () => `a: ${'{a: '.repeat(many)}1${'}'.repeat(many)}`,
    () => '- '.repeat(many),
    () => '? '.repeat(many),
    () => Array.from({ length: Math.min(many, 2000) }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
    () => laughs(random, 2 + random.below(30), 2 + random.below(20)),
    () => `a: &a [*a, *a]\nb: *a\n`,
    () => `a: &a {b: *a}\n`,
    () =>
      `a: &a {x: 1}\n${Array.from({ length: Math.min(many, 5000) }, (_, index) => `b${index}: {<<: [*a, *a, *a]}\n`).join('')}`,
    () => `zoneIpAllocations: &z {static: {zones: {a: {count: 1}}}}\nmanagerSettings: *z\n`,
    () => Array.from({ length: many }, (_, index) => `k${index}: 1\n`).join(''),
    () =>
      Array.from(
        { length: Math.min(many, 30_000) },
        (_, index) => `&a${index} k${index}: *a${Math.max(0, index - 1)}\n`,
      ).join(''),
    () => `a: "${'x'.repeat(many * 20)}"\n`,
    () => `a: "${'${A}'.repeat(many)}"\n`,
    () => `a: ${'9'.repeat(many)}\nb: 1e${many}\nc: 0x${'f'.repeat(many)}\n`,
    () => `a: ${'!!str '.repeat(many)}\n`,
    () => `a: |${'\n  x'.repeat(many)}\n`,
    () => `${'---\n'.repeat(Math.min(many, 3000))}`,
    () => `include: ${random.pick(['{1..99999999}.yaml', '../../**/*', '**/{a,b}{c,d}'.repeat(12)])}\n`,
    () => `${'"'.repeat(many)}\n${"'".repeat(many)}`,
    () => `zoneIpAllocations:\n  s:\n    zones:\n      a:\n        ips:\n${'          - 192.0.2.1\n'.repeat(many)}`,
    () => `zoneIpAllocations: {s: {zones: {a: {ips: [${'192.0.2.1, '.repeat(many)}]}}}}`,
  ])();
}

/** Nested references, in which each level names the one below it several times. */
function laughs(random: Random, levels: number, times: number): string {
  const isMap = random.oneIn(2);
  const lines = Array.from({ length: levels }, (_, level) => {
    const inner = Array.from({ length: times }, (_, index) => `${isMap ? `k${index}: ` : ''}*a${level}`).join(', ');
    return `a${level + 1}: &a${level + 1} ${isMap ? `{${inner}}` : `[${inner}]`}\n`;
  });
  return `a0: &a0 x\n${lines.join('')}zoneIpAllocations: *a${levels}\n`;
}

/** Returns a bomb within the text of `around`. */
export function jsonBomb(random: Random, around: (inner: string) => string = (inner) => inner): string {
  const many = 10 ** (2 + random.below(4));
  return around(
    random.pick<() => string>([
      () => '['.repeat(many),
      () => `${'['.repeat(many)}${']'.repeat(many)}`,
      () => `${'{"a":'.repeat(many)}1${'}'.repeat(many)}`,
      () => `${'{"a":['.repeat(many)}${']}'.repeat(many)}`,
      () => `"${'x'.repeat(many)}"`,
      () => `"${'\\u0000'.repeat(many)}"`,
      () => '9'.repeat(many),
      () => `1e${many}`,
      () => `[${'0,'.repeat(many)}0]`,
      () => `{${Array.from({ length: many }, (_, index) => `"k${index}":0`).join(',')}}`,
      () => `{"__proto__":${'{"__proto__":'.repeat(Math.min(many, 5000))}1${'}'.repeat(Math.min(many, 5000))}}`,
    ])(),
  );
}

const bombs = new Map<number, Buffer>();

/** Compresses zeros with gzip, to a thousandth of their size. */
export function gzipBomb(mib: number): Buffer {
  const known = bombs.get(mib);
  const bomb = known ?? gzipSync(Buffer.alloc(mib * 2 ** 20, 0x20), { level: 9 });
  bombs.set(mib, bomb);
  return bomb;
}
