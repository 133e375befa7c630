/** `npm run house`: prints the figures of the structure of the code, before the engine had one entrance and now. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { declaringProperty, importersOf, type MemberCount, membersOf, sources, wayBetween } from './house/code.ts';
import { entryPoints } from './house/entryPoints.ts';
import { importedBy, reachOf } from './house/reach.ts';

interface Figure {
  name: string;
  before: string;
  now: string;
  target: string;
}

const members = (count: MemberCount | undefined) => (count === undefined ? 'gone' : `${count.all} (${count.optional})`);

/** The files of the seam are those that a reader opens to know what a kind is. */
const seam = ['kind.ts', 'callType.ts', 'context.ts', 'call.ts'].map((name) => `src/kinds/${name}`);

/** Returns what the seam imports from the folder of a kind. */
function knownKinds(): string[] {
  const isInKind = (file: string) => dirname(dirname(file)).startsWith('src/kinds');
  return seam.flatMap((file) => importedBy(file).filter(isInKind));
}

/** The names of functions, types and properties that have the word, each once. */
function namesWith(word: string): string[] {
  const names = sources.flatMap(
    (file) => readFileSync(file, 'utf8').match(new RegExp(`\\b\\w*${word}\\w*\\b`, 'gi')) ?? [],
  );
  return [...new Set(names)];
}

function figures(): Figure[] {
  const contexts = wayBetween('src/cli/commands/apply.ts#apply', 'createSession').slice(1);
  const plans = sources.filter((file) => /plan[^/]*\.ts$/i.test(file));
  const lines = sources.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
  return [
    { name: 'members of `Kind` (optional)', before: '29 (13)', now: members(membersOf('Kind')), target: '12 (0)' },
    { name: 'members of `CallType`', before: '22 (9)', now: members(membersOf('CallType')), target: '14 (3)' },
    {
      name: 'members of `StoredResource`',
      before: '15 (10)',
      now: `${members(membersOf('StoredResource'))}, in ${storedIn()}`,
      target: 'in providers',
    },
    { name: 'imports of the seam from kinds', before: '3', now: String(knownKinds().length), target: '0' },
    {
      name: 'functions from `apply` to an open session',
      before: '6',
      now: contexts.length === 0 ? 'not found' : String(contexts.length),
      target: '3',
    },
    {
      name: 'files that turn a plan into a run',
      before: '5',
      now: String(importersOf('executionOf').length),
      target: '1',
    },
    {
      name: 'definitions of the fields of a schedule of the trigger service',
      before: '3',
      now: String(declaringProperty('nextTickAt').length),
      target: '1',
    },
    { name: 'files whose name says plan', before: '16', now: String(plans.length), target: '7' },
    {
      name: 'names with `settle`',
      before: '16',
      now: String(namesWith('settle').length),
      target: '2: `settleSeconds`, which users write, and `allSettled` of the language',
    },
    { name: 'lines of `src` and `providers`', before: '59,300', now: lines.toLocaleString('en'), target: '' },
    ...entryPoints.map(({ name, file, before, limit }) => ({
      name: `lines reached from: ${name}`,
      before: before.toLocaleString('en'),
      now: reachOf(file).lines.toLocaleString('en'),
      target: `limit ${limit.toLocaleString('en')}`,
    })),
  ];
}

function storedIn(): string {
  const file = sources.find((each) => /^export interface StoredResource\b/m.test(readFileSync(each, 'utf8')));
  return file === undefined ? 'no file' : dirname(file);
}

console.log('| figure | before | now | target |\n|---|---|---|---|');
for (const { name, before, now, target } of figures()) console.log(`| ${name} | ${before} | ${now} | ${target} |`);
