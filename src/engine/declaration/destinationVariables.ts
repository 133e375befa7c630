/** Checks the variables in every field that decides where something is sent: those of the connection, and the destinations of resources. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { isMapValue } from '../../base/values/plain.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import { references } from '../../kinds/seam/references.ts';
import { connectionVariableProblems, urlVariableProblems } from './sentVariables.ts';

/** Returns problems for variables that a field must not use. `allowed` is as for the connection. */
export function sentVariableProblems(source: YamlSource, allowed: readonly string[]): Problem[] {
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
