/** The declaration: the declared resources, and the service and manager they are for. Reading it sends no request. */
import { z } from 'zod';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { locate } from '../../base/yaml/parseWith.ts';
import { readYaml, type YamlSource } from '../../base/yaml/source.ts';
import { fromKinds, kinds } from '../../kinds/knownKinds.ts';
import type { LiveTarget } from '../../kinds/seam/context.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import { ownership } from '../../kinds/seam/ownership.ts';
import { references } from '../../kinds/seam/references.ts';
import type { Declared } from '../plan/resources.ts';
import {
  connectionFields,
  connectionOf,
  type LocatedConnection,
  locator,
  parsedFile,
  reachableOwner,
  resourceName,
  type Settings,
} from './connection.ts';
import { type DriftException, exceptionsSchema, resolveExceptions } from './exceptions.ts';
import type { Place } from './places.ts';
import { connectionVariableProblems, urlVariableProblems } from './sentVariables.ts';
import { allowedCallersIn } from './zoneDetails.ts';

export interface Config extends LocatedConnection {
  /** The declared addresses that may use zones, by zone. */
  allowedCallers: Readonly<Record<string, readonly string[]>>;
  /** The resources, in the order of the file. */
  declared: Declared[];
  /** The places of the files of `-f`. Empty if there is no declaration. */
  places: readonly Place[];
  /** The folders whose files the declaration may name. */
  folders: readonly string[];
  /** Known drift. */
  exceptions: readonly DriftException[];
}

const collections = (some: readonly AnyKind[]) =>
  Object.fromEntries(
    some.map(({ collection, name, spec }) => [
      collection,
      z
        .record(resourceName, spec.describe(`One ${name}.`))
        .nullish()
        .describe(`${spec.description} Resources of kind ${name}, by name.`),
    ]),
  );

/** The settings of a file: everything but its resources. */
const settings = {
  ...connectionFields,
  exceptions: exceptionsSchema,
};

/** The whole file. A collection may be left empty. */
export const fileSchema = fromKinds(() => z.strictObject({ ...settings, ...collections(kinds) }));

/**
 * Returns the fields of a file, by the schemas of the kinds that it has: those of all take longer to build than a short command. A file that is not
 * valid is read again with all of them, because a fix may name a kind that the file does not have. @throws ProblemError
 */
function fieldsOf(source: YamlSource, refused: readonly Problem[]): z.output<ReturnType<typeof fileSchema>> {
  const { value } = source;
  const inFile = kinds.filter(({ collection }) => isMapValue(value) && Object.hasOwn(value, collection));
  try {
    return parsedFile(z.strictObject({ ...settings, ...collections(inFile) }), source, refused);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return parsedFile(fileSchema(), source, refused);
  }
}

/** Returns the configuration without a file: only options and the environment. */
export function bareConfig(settings: Settings): Config {
  const locate: Config['locate'] = (problem, prefix) => ({ ...problem, path: [...prefix, ...(problem.path ?? [])] });
  return { ...configOf(readYaml('', ''), settings), locate };
}

export function configOf(source: YamlSource, settings: Settings): Config {
  const refused = sentVariableProblems(source, settings.allowEnv ?? []);
  const parsed = fieldsOf(source, refused);
  const declared = declaredIn(parsed);
  const { exceptions, problems } = resolveExceptions(parsed.exceptions ?? [], declared);
  assertNoProblems(problems.map((problem) => locate(problem, source, [])));
  return withoutConflicts({
    ...connectionOf(parsed, settings),
    allowedCallers: allowedCallersIn(parsed.service.zones),
    declared,
    places: [],
    folders: [settings.folder ?? '.'],
    exceptions,
    locate: locator(source),
  });
}

/** Returns the arguments with which a kind finds its live objects. */
export function liveTarget(config: Config, definition: AnyKind): LiveTarget<unknown> {
  const declared = config.declared.filter((each) => each.definition === definition);
  return {
    managerUrl: config.manager.url,
    owner: reachableOwner(config),
    declared: new Map(declared.map(({ name, spec }) => [name, spec])),
  };
}

function declaredIn(file: Record<string, unknown>): Declared[] {
  return kinds.flatMap((definition) => {
    const { name: kind, collection } = definition;
    const specs = (file[collection] ?? {}) as Record<string, unknown>;
    return Object.entries(specs).map(([name, spec]) => ({ kind, collection, name, definition, spec }));
  });
}

/** Returns the configuration unchanged. @throws ProblemError if two resources claim the same thing */
function withoutConflicts(config: Config): Config {
  const { declared, manager, locate } = config;
  const specsOf = (collection: string) =>
    new Map(declared.filter((each) => each.collection === collection).map(({ name, spec }) => [name, spec]));
  const problems = kinds.flatMap(({ collection, conflicts }) => {
    const found = conflicts(specsOf(collection), { managerUrl: manager.url, declared: specsOf });
    return found.map((problem) => locate(problem, [collection]));
  });
  const all = [...ownerProblems(config), ...problems];
  assertNoProblems(all);
  return config;
}

function ownerProblems({ name, declared, locate }: Config): Problem[] {
  const first = declared.find(({ definition }) => ownership.of(definition) !== undefined);
  if (name !== undefined || first === undefined) return [];
  return [locate(noOwner, [first.collection])];
}

export const noOwner: Problem = {
  code: 'no-owner',
  at: 'key',
  found: 'resources of the trigger service need an owner, but the file has no `name`',
  allowed: 'a `name` at the top of the file',
  fix: 'add `name: …`: all files with the same name own the same registrations',
};

/** Returns problems for variables in fields that decide where something is sent: those of the connection, and the destinations of resources. */
function sentVariableProblems(source: YamlSource, allowed: readonly string[]): Problem[] {
  const { value } = source;
  const destinations = isMapValue(value) ? kinds.flatMap((kind) => destinationsIn(kind, value)) : [];
  return [
    ...connectionVariableProblems(source, allowed),
    ...destinations.flatMap((path) => urlVariableProblems(source, path, allowed)),
  ];
}

function destinationsIn(kind: AnyKind, { [kind.collection]: specs }: Record<string, unknown>): PropertyKey[][] {
  if (!isMapValue(specs)) return [];
  return Object.entries(specs).flatMap(([name, spec]) => {
    const paths = references.of(kind)?.destinations?.(spec) ?? [];
    return paths.map((path) => [kind.collection, name, ...path]);
  });
}
