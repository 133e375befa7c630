/** Import by id, for every front. */

import { assertNoProblems, type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { liveExport } from '../../src/kinds/seam/liveExport.ts';
import { readResource } from './lifecycle.ts';
import type { Stack } from './stack.ts';
import { storedOf } from './stored/table.ts';

/** Reads a resource that no state has yet, by its id alone. Undefined: it does not exist. */
export async function importResource(
  stack: Stack,
  kind: AnyKind,
  id: string,
): Promise<{ id: string; inputs: Properties; properties: Properties } | undefined> {
  const { importTarget } = storedOf(kind);
  const exporting = liveExport.of(kind);
  if (importTarget === undefined || exporting === undefined) throw new ProblemError([notImportable(kind)]);
  const { id: ownId, target, inputs: given } = importTarget(id);
  const context = stack.run.live.contextFor({ definition: kind, name: target.name });
  const found = (await exporting.exportLive(target, context))?.[target.name];
  if (found === undefined) return undefined;
  const unreadable = Object.entries(found).filter(([, value]) => isVariable(value));
  assertNoProblems(unreadable.map(([field]) => unreadableSecret(target.name, field)));
  const read = await readResource(stack, kind, { ...given, ...found });
  return read && { id: ownId, ...read };
}

/** An export has a variable in place of a value that contains a secret, such as a URL with a password. */
function isVariable(value: unknown): boolean {
  return typeof value === 'string' && /^\$\{\w+\}$/.test(value);
}

function unreadableSecret(name: string, field: string): Problem {
  return {
    code: 'not-importable',
    path: [field],
    found: `${name} cannot be imported: its ${field} contains a secret, which cannot be read back`,
    fix: 'declare it with its secret: creating adopts what exists',
  };
}

function notImportable({ name }: AnyKind): Problem {
  return {
    code: 'not-importable',
    found: `${name} cannot be imported`,
    fix: 'declare it: creating adopts what exists',
  };
}
