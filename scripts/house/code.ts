/** The declarations of the code, as the figures of the house need them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export const sources = globSync('{src,providers}/**/*.ts').toSorted();

const parsed = new Map(
  sources.map((file) => [file, ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)]),
);

export interface MemberCount {
  all: number;
  optional: number;
}

/** Counts the members of an exported interface, without those that it extends. */
export function membersOf(name: string): MemberCount | undefined {
  for (const file of parsed.values()) {
    const found = file.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
    if (found === undefined || !ts.isInterfaceDeclaration(found)) continue;
    const optional = found.members.filter(({ questionToken }) => questionToken !== undefined).length;
    return { all: found.members.length, optional };
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
  const bodies = new Map<string, { body: ts.Node; file: string }>();
  for (const [file, { statements }] of parsed)
    for (const statement of statements)
      if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
        bodies.set(`${file}#${statement.name.text}`, { body: statement, file });
  const imports = new Map(sources.map((file) => [file, importsOf(file)]));
  return new Map(
    [...bodies].map(([id, { body, file }]) => {
      const named = [...identifiersIn(body)].map((name) => imports.get(file)?.get(name) ?? `${file}#${name}`);
      return [id, new Set(named.filter((each) => each !== id && bodies.has(each)))];
    }),
  );
}

/** The names that a file imports, each with `FILE#NAME` of its definition. */
function importsOf(file: string): ReadonlyMap<string, string> {
  const imported = new Map<string, string>();
  for (const statement of parsed.get(file)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const named = statement.importClause?.namedBindings;
    if (named === undefined || !ts.isNamedImports(named)) continue;
    const path = join(dirname(file), statement.moduleSpecifier.text);
    for (const { name, propertyName } of named.elements)
      imported.set(name.text, `${path}#${(propertyName ?? name).text}`);
  }
  const code = parsed.get(file)?.text ?? '';
  for (const [, names = '', path = ''] of code.matchAll(/const \{ ([\w, ]+) \} = await import\('(\.[^']+)'\)/g))
    for (const name of names.split(', ')) imported.set(name, `${join(dirname(file), path)}#${name}`);
  return imported;
}

function identifiersIn(node: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (ts.isIdentifier(each)) names.add(each.text);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return names;
}

/** Returns the files that import one of these names. */
export function importersOf(...names: readonly string[]): string[] {
  return sources.filter((file) => {
    const imported = new Set([...importsOf(file).values()].map(nameIn));
    return names.some((name) => imported.has(name));
  });
}

/** Returns the files in which an interface or a zod object has a property of this name. */
export function declaringProperty(name: string): string[] {
  return sources.filter((file) => {
    let isDeclared = false;
    const visit = (node: ts.Node): void => {
      if (ts.isPropertySignature(node) && node.name.getText() === name) isDeclared = true;
      const isSchema = ts.isPropertyAssignment(node) && node.name.getText() === name;
      if (isSchema && /\b(?:ledgerTime\w*|z)\./.test(node.initializer.getText())) isDeclared = true;
      ts.forEachChild(node, visit);
    };
    const source = parsed.get(file);
    if (source) visit(source);
    return isDeclared;
  });
}
