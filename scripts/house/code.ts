/** The declarations of the code, as the figures of the house need them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { declarationsOf } from './declarations.ts';

export const sources = globSync('{src,providers}/**/*.ts').toSorted();

const parsed = new Map(
  sources.map((file) => {
    const text = readFileSync(file, 'utf8');
    return [file, { text, program: parseSync(file, text).program }];
  }),
);

export interface MemberCount {
  all: number;
  optional: number;
}

/** Counts the members of an exported interface, without those that it extends. */
export function membersOf(name: string): MemberCount | undefined {
  for (const { program } of parsed.values()) {
    const found = declarationsOf(program).find(
      (each) => each.type === 'TSInterfaceDeclaration' && each.id.name === name,
    );
    if (found?.type !== 'TSInterfaceDeclaration') continue;
    const { body } = found.body;
    return { all: body.length, optional: body.filter((member) => 'optional' in member && member.optional).length };
  }
  return undefined;
}

/** Returns the names of the functions and classes on the shortest way from `FILE#NAME` to a function, through those that each one names. */
export function wayBetween(from: string, to: string): string[] {
  const functions = namedFunctions();
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) ?? '';
    if (nameIn(last) === to) return way.map(nameIn);
    for (const next of functions.get(last) ?? []) {
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return [];
}

const nameIn = (id: string) => id.slice(id.indexOf('#') + 1);

/** Each function and class at the top of a file, as `FILE#NAME`, with those that it names. */
function namedFunctions(): ReadonlyMap<string, ReadonlySet<string>> {
  const bodies = [...parsed].flatMap(([file, { program }]) => {
    const identifiers = identifiersIn(program);
    const imports = importsOf(file);
    return declarationsOf(program).flatMap((each) => {
      if ((each.type !== 'FunctionDeclaration' && each.type !== 'ClassDeclaration') || !each.id) return [];
      const inside = identifiers.filter(({ start, end }) => start >= each.start && end <= each.end);
      return [
        { id: `${file}#${each.id.name}`, named: inside.map(({ name }) => imports.get(name) ?? `${file}#${name}`) },
      ];
    });
  });
  const ids = new Set(bodies.map(({ id }) => id));
  return new Map(bodies.map(({ id, named }) => [id, new Set(named.filter((each) => each !== id && ids.has(each)))]));
}

/** The names that a file imports, each with `FILE#NAME` of its definition. */
function importsOf(file: string): ReadonlyMap<string, string> {
  const imported = new Map<string, string>();
  const { program, text } = parsed.get(file) ?? {};
  for (const statement of program?.body ?? []) {
    if (statement.type !== 'ImportDeclaration') continue;
    const path = join(dirname(file), statement.source.value);
    for (const each of statement.specifiers)
      if (each.type === 'ImportSpecifier') imported.set(each.local.name, `${path}#${nameOf(each.imported)}`);
  }
  for (const [, names = '', path = ''] of (text ?? '').matchAll(/const \{ ([\w, ]+) \} = await import\('(\.[^']+)'\)/g))
    for (const name of names.split(', ')) imported.set(name, `${join(dirname(file), path)}#${name}`);
  return imported;
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name;
}

function identifiersIn(program: ESTree.Program): { name: string; start: number; end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  new Visitor({ Identifier: (identifier) => found.push(identifier) }).visit(program);
  return found;
}
