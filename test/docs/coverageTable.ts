/** Reads the tables of docs/evidence/coverage.md, and says what a row points at that is not there. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { declarationsOf } from '../../scripts/house/declarations.ts';
import { separator, titlesIn } from './testTitles.ts';

interface Row {
  /** The heading that it stands under. */
  section: string;
  /** Of the document, counted from 1. */
  line: number;
  /** What the specification says; where it is done; the tests of it. */
  cells: readonly string[];
}

export function rowsOf(document: string): Row[] {
  let section = '';
  return document.split('\n').flatMap((text, index) => {
    section = /^#+ (.*)$/.exec(text)?.[1] ?? section;
    const isRow = text.startsWith('|') && !/^\|[\s|:-]*\|$/.test(text) && !text.startsWith('| what |');
    return isRow ? [{ section, line: index + 1, cells: cellsOf(text) }] : [];
  });
}

/** What stands in backticks. */
export function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** What is wrong with a row. */
export function faultsOf({ line, cells }: Row): string[] {
  const [what = '', where = '', test = ''] = cells;
  if (cells.length !== 3 || cells.some((cell) => cell === ''))
    return [`line ${line}: a cell is empty, or one too many`];
  const places = codeIn(where).filter((code) => code.startsWith('src/'));
  const faults =
    places.length === 0
      ? faultsOfNothing(where, test)
      : [...places.flatMap(faultOfPlace), ...faultsOfTests(codeIn(test))];
  return faults.map((fault) => `line ${line} (${what}): ${fault}`);
}

/** What is not done here has a reason, and no test. */
function faultsOfNothing(where: string, test: string): string[] {
  const hasReason = /^Nothing: .{20,}\.$/.test(where);
  return hasReason && test === '-' ? [] : ['neither a place in src/ nor `Nothing: ` with a reason, and - for the test'];
}

function faultOfPlace(place: string): string[] {
  const [file = '', ...names] = place.split(separator);
  if (!existsSync(file)) return [`there is no ${file}`];
  const declared = declaredIn(file);
  return names.filter((name) => !declared.has(name)).map((name) => `${file} declares no ${name}`);
}

/** Returns what is wrong with references to tests: `FILE › TITLE`. */
export function faultsOfTests(references: readonly string[]): string[] {
  return references.length === 0 ? ['no test is named'] : references.flatMap(faultOfTest);
}

function faultOfTest(reference: string): string[] {
  const [file = '', ...titles] = reference.split(separator);
  if (!/^test\/.+\.test\.ts$/.test(file) || !existsSync(file)) return [`there is no test file ${file}`];
  const title = titles.join(separator);
  const { source, patterns } = testsIn(file);
  const isThere = patterns.some((pattern) =>
    pattern
      .exec(title)
      ?.slice(1)
      .every((part) => source.includes(part)),
  );
  return isThere ? [] : [`${file} has no test ${title}`];
}

const declarations = new Map<string, ReadonlySet<string>>();

/** The names at the top of a source file. */
function declaredIn(file: string): ReadonlySet<string> {
  const known = declarations.get(file);
  if (known !== undefined) return known;
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const names = new Set(declarationsOf(program).flatMap(namesIn));
  declarations.set(file, names);
  return names;
}

function namesIn(declaration: ReturnType<typeof declarationsOf>[number]): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
}

const testFiles = new Map<string, { source: string; patterns: RegExp[] }>();

function testsIn(file: string) {
  const known = testFiles.get(file);
  if (known !== undefined) return known;
  const own = readFileSync(file, 'utf8');
  const found = { source: [own, ...casesOf(file, own)].join('\n'), patterns: titlesIn(own).map(patternOf) };
  testFiles.set(file, found);
  return found;
}

/** What a test file takes from its neighbours: the cases of a table may stand there. */
function casesOf(file: string, source: string): string[] {
  const imported = [...source.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) => join(dirname(file), path));
  return imported.filter((path) => path.startsWith('test/')).map((path) => readFileSync(path, 'utf8'));
}

/** A title as it is printed: each placeholder stands for a text that the test file has. */
function patternOf(title: string): RegExp {
  const parts = title.split(/%[sdifjo]|\$\{[^}]*\}|\$[\w.]+/);
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('(.+)')}$`, 's');
}

/** A row as Markdown has it: a bar in a cell is escaped. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
