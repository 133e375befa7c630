/** `npm run house`: prints the size and the structure of the code, each figure beside the one from which it is to fall. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { linesAtTheStart } from './house/atTheStart.ts';
import { type MemberCount, membersOf, sources, wayBetween } from './house/code.ts';
import { importedBy } from './house/reach.ts';

interface Row {
  name: string;
  start: number | string;
  now: number | string;
  target?: number | string;
}

const linesIn = (text: string) => text.split('\n').length - 1;

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + linesIn(readFileSync(file, 'utf8')), 0);
}

const filesIn = (folder: string) => globSync(`${folder}/**/*`).filter((path) => statSync(path).isFile());

const totals: readonly Row[] = [
  { name: '`src` and `providers`', now: linesOf(sources), start: startOf('src and providers'), target: 66_000 },
  { name: '`test`, with its data', now: linesOf(filesIn('test')), start: startOf('test'), target: 64_000 },
  {
    name: '`reliability`, with its data',
    now: linesOf(filesIn('reliability')),
    start: startOf('reliability'),
    target: 12_000,
  },
];

function startOf(name: string): number {
  return linesAtTheStart[name] ?? 0;
}

/** The folders directly in `src` and `providers`, the largest first. */
function folderRows(): Row[] {
  const folders = new Set(sources.flatMap((file) => /^\w+\/\w+(?=\/)/.exec(file)?.[0] ?? []));
  return [...folders]
    .map((folder) => ({
      name: `\`${folder}\``,
      start: startOf(folder),
      now: linesOf(sources.filter((file) => file.startsWith(`${folder}/`))),
      ...(folder === 'providers/core' && { target: 2200 }),
    }))
    .toSorted((one, other) => other.now - one.now);
}

const members = (count: MemberCount | undefined) => (count === undefined ? 'gone' : `${count.all} (${count.optional})`);

const isInEngine = (file: string) => file.startsWith('src/engine/');

/** Counts the files of the engine that files outside of it import. */
function engineFilesImported(importing: RegExp): number {
  const imported = sources
    .filter((file) => importing.test(file) && !isInEngine(file))
    .flatMap((file) => importedBy(file))
    .filter(isInEngine);
  return new Set(imported).size;
}

/** Steps that belong to the engine: lock, begin a run, ask whether a problem is a guard. */
const ofARun = /\.withLock\(|\blog\.begin\(|\bbeginRun\(|\bisGuardProblem\(|\bkind\.guards\b/;

function filesThatRun(): string[] {
  return sources.filter((file) => !isInEngine(file) && ofARun.test(readFileSync(file, 'utf8')));
}

const functionsBetween = (from: string, to: string) => wayBetween(from, to).slice(1).length || 'not found';

const structure: readonly Row[] = [
  {
    name: 'engine files imported from outside (by `providers`)',
    start: '53 (16)',
    now: `${engineFilesImported(/./)} (${engineFilesImported(/^providers\//)})`,
    target: '12 (2)',
  },
  {
    name: 'files outside the engine that lock, begin a run or ask about a guard',
    start: 6,
    now: filesThatRun().length,
    target: 0,
  },
  { name: 'members of `Kind` (optional)', start: '12 (0)', now: members(membersOf('Kind')), target: '12 (0)' },
  { name: 'members of `CallType` (optional)', start: '14 (3)', now: members(membersOf('CallType')), target: '14 (3)' },
  {
    name: 'functions from `apply` to an open session',
    start: 5,
    now: functionsBetween('src/cli/commands/apply.ts#apply', 'createSession'),
    target: 3,
  },
];

const shown = (value: number | string) => (typeof value === 'number' ? value.toLocaleString('en') : value);

function change({ start, now }: Row): string {
  if (typeof start !== 'number' || typeof now !== 'number') return '';
  const difference = now - start;
  return `${difference > 0 ? '+' : ''}${difference.toLocaleString('en')}`;
}

function print(title: string, rows: readonly Row[]): void {
  console.log(`\n| ${title} | start | now | change | target |\n|---|---|---|---|---|`);
  for (const row of rows) {
    const { name, start, now, target = '' } = row;
    console.log(`| ${name} | ${shown(start)} | ${shown(now)} | ${change(row)} | ${shown(target)} |`);
  }
}

print('lines', totals);
print('lines of a folder', folderRows());
print('structure', structure);
