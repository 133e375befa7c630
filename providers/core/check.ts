/** Checks inputs. In Pulumi, only a check can name a property, so it reports both invalid inputs and conflicts with the live state. */
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { parse } from '../../src/base/diagnostics/zodProblems.ts';
import { inexactIn, isSafe } from '../../src/base/yaml/exactNumbers.ts';
import { comparedOrProblems, mayBeResolved } from '../../src/engine/doors/front.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { unknownYet, unreachableYet } from './announcements.ts';
import { isOfUnchanged, problemsFrom } from './problems.ts';
import { conflictsOf, inputSchema, parseResource } from './resource.ts';
import type { Stack } from './stack.ts';
import { storedOf } from './stored/table.ts';
import { targetFor } from './target.ts';
import { isAboutUnknown, unknownPaths } from './unknown.ts';

interface CheckResult {
  /** Normalized if they are valid. */
  inputs: Properties;
  problems: readonly Problem[];
}

/** Never throws: every problem is returned. `urn` names the resource, if the engine says it. */
export async function checkInputs(
  kind: AnyKind,
  olds: Properties,
  news: Properties,
  open: () => Stack,
  urn?: string,
): Promise<CheckResult> {
  // Programs leave a property out by setting it to null or undefined.
  const declared = Object.fromEntries(Object.entries(news).filter(([, value]) => value != null));
  const invalid = schemaProblems(kind, declared);
  if (invalid.length > 0) return { inputs: declared, problems: invalid };
  const inputs = storedOf(kind).normalize(declared);
  try {
    const stack = open();
    const problems = await stack.declaring.declare(() => declarationProblems(kind, olds, inputs, stack, urn));
    return { inputs, problems };
  } catch (error) {
    return { inputs, problems: problemsFrom(error) };
  }
}

/** Unknown values are valid. */
function schemaProblems(kind: AnyKind, declared: Properties): Problem[] {
  const parsed = parse(inputSchema(kind), declared);
  if (!parsed.ok) return parsed.problems.filter((problem) => !isAboutUnknown(problem, declared));
  // The engine passes numbers as doubles, so the digits that the program wrote may be lost.
  const inexact = inexactIn(declared, isSafe);
  return inexact === undefined ? [] : [inexact];
}

async function declarationProblems(
  kind: AnyKind,
  olds: Properties,
  inputs: Properties,
  stack: Stack,
  urn: string | undefined,
): Promise<Problem[]> {
  const unknown = unknownPaths(inputs);
  if (unknown.length > 0) {
    stack.declared.addUnknown(kind);
    await stack.print(unknownYet(kind.name, unknown), 'remark');
    return [];
  }
  const resource = { ...parseResource(kind, inputs), urn };
  const conflicts = conflictsOf(resource, stack.declared.rivalsOf(resource), stack.managerUrl);
  stack.declared.add(resource);
  if (conflicts.some(({ code }) => code === 'registered-twice')) stack.declared.refuse(resource);
  // During an update, the live state changes, and the preview before it has already announced the calls.
  if (conflicts.length > 0 || stack.run.hasWritten) return conflicts;
  const isNew = Object.keys(olds).length === 0;
  const target = targetFor(stack.run.planning, resource, { olds, isNew });
  // An existing resource is announced by `diff`, which gets its outputs too.
  const { problems } = await (isNew ? stack.run.plans.add(target) : comparedOrProblems(target.compare));
  if (isNew && problems.length > 0 && problems.every(({ code }) => code === 'unreachable')) {
    await stack.print(unreachableYet(target, problems), 'remark');
    return [];
  }
  const reported = isNew ? problems : problems.filter((problem) => !isOfUnchanged(problem, olds, inputs));
  return mayBeResolved(reported) ? [] : reported;
}
