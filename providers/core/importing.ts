/** Import by id, for every front. */

import { assertNoProblems, type Problem } from '../../src/base/diagnostics/problem.ts';
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
  const { id: ownId, target, inputs: given } = storedOf(kind).importTarget(id);
  const context = stack.run.live.contextFor({ definition: kind, name: target.name });
  const found = (await liveExport.of(kind)?.exportLive(target, context))?.[target.name];
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
