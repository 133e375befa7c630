/** Writes the accepted fields of one resource into the files of a declaration: a base and its overlays. */
import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isMapValue, valueAt } from '../../base/values/plain.ts';
import { isSecretName } from '../../base/values/secretName.ts';
import type { ValueChange } from '../../base/yaml/edit/changes.ts';
import { editYaml, fixByHand, withChange } from '../../base/yaml/edit/editYaml.ts';
import { mergeSources, readYaml, type YamlSource } from '../../base/yaml/source.ts';
import type { Environment } from '../../base/yaml/variables.ts';
import { redactor } from '../../client/redact.ts';
import type { DeclarationFile } from '../../engine/doors/declaration.ts';

export type DeclarationText = Omit<DeclarationFile, 'source'>;

export function mergedSource(files: readonly DeclarationText[], env: Environment): YamlSource {
  return mergeSources(sourcesOf(files, env));
}

function sourcesOf(files: readonly DeclarationText[], env: Environment): YamlSource[] {
  return files.map(({ file, text }) => readYaml(text, file, { env }));
}

/** Returns the files with the value at a path changed; undefined removes it. @throws ProblemError with locations if that cannot be done */
export function withValue(
  files: readonly DeclarationText[],
  path: readonly PropertyKey[],
  value: unknown,
  env: Environment,
): DeclarationText[] {
  const sources = sourcesOf(files, env);
  const merged = mergeSources(sources);
  const changes = leafChanges(valueAt(merged.value, path), value, path);
  for (const change of changes) assertNoSecret(change, merged);
  const byFile = Map.groupBy(changes, (change) => fileOf(change, sources));
  const edited = files.map((each, index) => {
    const { file, text } = each;
    const own = (byFile.get(index) ?? []).map((change) => inOverlay(change, sources.slice(0, index)));
    return { ...each, text: own.length === 0 ? text : editYaml(text, own, { file, env }) };
  });
  const intended = withChange(merged.value, path, value);
  const [first] = changes;
  if (first !== undefined && !isDeepStrictEqual(mergedSource(edited, env).value, intended)) {
    const { file = '', text = '' } = files[fileOf(first, sources)] ?? {};
    const fix = `${fixByHand(first, readYaml(text, file, { env }))}, in one of the files only`;
    throw new ProblemError([{ ...fromSeveralFiles, fix, path: [...first.path], place: merged.locationOf(first.path) }]);
  }
  return edited;
}

/** Returns the differences by key. Lists and scalars are changed as a whole, as overlays replace them. */
function leafChanges(current: unknown, wanted: unknown, path: readonly PropertyKey[]): ValueChange[] {
  if (isDeepStrictEqual(current, wanted)) return [];
  if (!isMapValue(current) || !isMapValue(wanted)) return [{ path, value: wanted }];
  const keys = Object.keys({ ...current, ...wanted });
  return keys.flatMap((key) => leafChanges(current[key], wanted[key], [...path, key]));
}

/** Returns the index of the last file with the value or, for a new key, with its map. */
function fileOf({ path }: ValueChange, sources: readonly YamlSource[]): number {
  const has = (at: readonly PropertyKey[]) => (source: YamlSource) => valueAt(source.value, at) !== undefined;
  const own = sources.findLastIndex(has(path));
  return own >= 0 ? own : sources.findLastIndex(has(path.slice(0, -1)));
}

/** Null in an overlay removes a key of the files before it. */
function inOverlay(change: ValueChange, before: readonly YamlSource[]): ValueChange {
  const isBelow = before.some(({ value }) => valueAt(value, change.path) !== undefined);
  return change.value === undefined && isBelow ? { ...change, value: null } : change;
}

/** A live value may hold the value of a secret variable, or credentials in a URL. @throws ProblemError */
function assertNoSecret({ path, value }: ValueChange, merged: YamlSource): void {
  const before = valueAt(merged.value, path);
  const known = new Set(textsIn(before));
  const secrets = [...merged.secrets].filter(([text, name]) => text.length >= (isSecretName(name) ? 4 : 8));
  const redact = redactor(secrets.map(([text]) => text));
  const fields = withoutReferences(value);
  const isSecret =
    textsIn(fields).some((text) => !known.has(text) && redact(text) !== text) ||
    newMaps(fields, withoutReferences(before)).some((map) => redact(JSON.stringify(map)) !== JSON.stringify(map)) ||
    (typeof value === 'string' && isSecretName(String(path.at(-1))));
  if (isSecret) throw new ProblemError([{ ...holdsSecret, path: [...path], place: merged.locationOf(path) }]);
}

/** Returns the map or the maps in a list that the value had not before. */
function newMaps(value: unknown, before: unknown): unknown[] {
  if (!Array.isArray(value)) return isMapValue(value) ? [value] : [];
  const known = new Set((Array.isArray(before) ? before : []).map((item) => JSON.stringify(item)));
  return value.filter((item) => isMapValue(item) && !known.has(JSON.stringify(item)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Leaves out `{env: NAME}` and `{secret: NAME}`, which name a secret and do not hold it. */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isMapValue(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && (keys[0] === 'env' || keys[0] === 'secret')) return null;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutReferences(field)]));
}

const holdsSecret: Problem = {
  code: 'secret-not-written',
  found: 'the live value seems to hold a secret, which is not written into a file',
  fix: 'write it by hand, with a variable in place of the secret',
};

const fromSeveralFiles = {
  code: 'not-editable',
  found: 'the value comes from several files or from a shared value, and no small edit changes it alone',
};
