import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importedBy, reachOf } from '../../scripts/house/reach.ts';
import { callGates } from '../../src/engine/run/gates.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const arrows = [...page.matchAll(/^ +(\w+) --> (\w+)$/gm)].map(([, from = '', to = '']) => ({ from, to }));

/** The part of the picture that a file is in; undefined for `src/index.ts` and `src/version.ts`, which stand outside of it. */
function folderOf(file: string): string | undefined {
  const [top, folder, below = '', inside] = file.split('/');
  if (top === 'providers') return top;
  if (folder === 'kinds' && below === 'seam') return 'seam';
  if (folder === 'features' && inside === 'capability.ts') return 'capabilities';
  if (folder === 'features' && inside === `${below}Command.ts`) return 'cli';
  if (folder === 'base') return below;
  if (folder === 'engine' && below === 'backend') return below;
  return below === '' ? undefined : folder;
}

function reachable(from: string): Set<string> {
  const direct = arrows.filter((arrow) => arrow.from === from).map(({ to }) => to);
  return new Set([...direct, ...direct.flatMap((to) => [...reachable(to)])]);
}

const files = globSync('{src,providers}/**/*.ts', { cwd: root });
const imports = files.flatMap((file) =>
  importedBy(file, root).map((imported) => ({ file, imported, from: folderOf(file), to: folderOf(imported) })),
);
const crossing = imports.filter(({ from, to }) => from !== undefined && to !== undefined && from !== to);

describe('the picture in docs/architecture.md', () => {
  it('reaches every import between folders', () => {
    const offending = crossing.filter(({ from = '', to = '' }) => !reachable(from).has(to));
    expect(offending.map(({ file, imported }) => `${file} imports ${imported}`)).toEqual([]);
  });

  it('has no arrow that no import needs', () => {
    const needed = (from: string, to: string) => crossing.some((one) => one.from === from && one.to === to);
    expect(arrows.filter(({ from, to }) => !needed(from, to))).toEqual([]);
  });

  it('is followed by a table with every folder', () => {
    const listed = [...page.matchAll(/^\| `(?:src\/(?:\w+\/)?)?(\w+)` \|/gm)].map(([, folder]) => folder);
    const existing = new Set(files.map(folderOf).filter((folder) => folder !== undefined));
    expect(listed.toSorted()).toEqual([...existing].toSorted());
  });
});

it('the engine is entered by its doors only, of which there are few', () => {
  const isDoor = (file: string) => /^src\/engine\/(?:account|run\/session|doors\/\w+)\.ts$/.test(file);
  const entered = imports.filter(
    ({ file, imported }) => /^src\/engine\//.test(imported) && !/^src\/engine\//.test(file),
  );
  expect(
    entered.filter(({ imported }) => !isDoor(imported)).map(({ file, imported }) => `${file}: ${imported}`),
  ).toEqual([]);
  expect(new Set(entered.map(({ imported }) => imported)).size).toBeLessThanOrEqual(12);
});

describe('who reads the code of', () => {
  const servers = ['src/triggers/service.ts', 'src/cli/commands/receive.ts', 'src/emulator/index.ts'];

  it.each([
    ...servers,
    'src/client/client.ts',
    'src/triggers/client.ts',
  ])('%s needs no engine, kind or report', (file) => {
    const beyond = /^(?:src\/(?:engine|kinds|report|features|ci)|providers)\//;
    expect([...reachOf(file, root)].filter((reached) => beyond.test(reached))).toEqual([]);
  });

  it('webdata triggers serve needs nothing of the engine but the address and key of the service', () => {
    const beyond = /^(?:src\/(?:engine\/(?:baseline|plan|run|undo)|kinds\/(?!seam)\w+|report|features|ci)|providers)\//;
    expect([...reachOf('src/cli/commands/triggers/serve.ts', root)].filter((reached) => beyond.test(reached))).toEqual(
      [],
    );
  });
});

/** Returns the shortest circle of imports that leads through this file. */
function circleOf(file: string, direct: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const paths = [[file]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of direct.get(path.at(-1) ?? '') ?? []) {
      if (next === file) return [...path, file];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

it('no files import each other in a circle, not even types', () => {
  const direct = new Map(files.map((file) => [file, importedBy(file, root)]));
  const circles = files.map((file) => circleOf(file, direct)).filter((circle) => circle !== undefined);
  expect(circles.map((circle) => circle.join(' -> '))).toEqual([]);
});

it('the table of gates has those of a run, in their order', () => {
  const listed = [...page.matchAll(/^\| \d\. ([^|]+) \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(callGates.map(({ name }) => name));
});

const [, ofCommand = '', ofPulumi = ''] = page.split(/## The journey of an IP|\nAn update of Pulumi passes/);

describe.each([
  ['an IP', ofCommand, 12],
  ['an update of Pulumi', ofPulumi, 8],
])('the journey of %s in docs/architecture.md', (_of, journey, most) => {
  const steps = [...journey.matchAll(/^\| `([^`]+\.ts)` \| `(#?\w+)` \|/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));

  it('has few functions', () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.length).toBeLessThanOrEqual(most);
  });

  it('leads from each file to the next one', () => {
    const next = steps.slice(1);
    const broken = next.filter(({ file }, index) => !reachOf(steps[index]?.file ?? '', root).has(file));
    expect(broken).toEqual([]);
  });

  it.each(steps)('$file defines $name', ({ file, name }) => {
    const code = readFileSync(join(root, file), 'utf8');
    expect(code).toMatch(new RegExp(`(function|const) ${name}\\b|^  (async )?${name}[(<]`, 'm'));
  });
});
