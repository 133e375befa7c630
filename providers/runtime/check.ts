/** The engine's `check`: the only place that can name a property. Invalid inputs, and what the live service has against them. */
import type { dynamic } from '@pulumi/pulumi';
import { formatPath } from '../../src/diagnostics/path.ts';
import type { Problem } from '../../src/diagnostics/problem.ts';
import { zodProblems } from '../../src/diagnostics/zodProblems.ts';
import { inexactIn, isSafe } from '../../src/yaml/exactNumbers.ts';
import type { Adapter, Declared } from './adapter.ts';
import { notKnownYet, unreachableYet } from './announcement.ts';
import { problemsFrom, reasonOf } from './failure.ts';
import { type Opened, redact, theStack } from './opened.ts';
import { planOne } from './planner.ts';
import { sayOnce } from './said.ts';
import { contextFor, mayBeResolved, nameOf } from './stack.ts';
import { isAboutUnknown, unknownPaths } from './unknown.ts';

type AnyAdapter = Adapter<unknown, unknown>;
type Properties = Readonly<Record<string, unknown>>;

/** Never throws: what is wrong is a failure, on its property where it is about one. */
export async function check(adapter: AnyAdapter, olds: Properties, news: Properties): Promise<dynamic.CheckResult> {
  const { __provider, ...written } = news;
  const declared = withoutNothing(written);
  const inputs = (of: Declared) => ({ ...of, __provider });
  const problems = specProblems(adapter, declared);
  if (problems.length > 0) return { inputs: inputs(declared), failures: problems.map(failureOf) };
  const tidy = adapter.tidy(declared);
  const found = await liveProblems(adapter, olds, tidy);
  return { inputs: inputs(tidy), failures: found.map(failureOf) };
}

function failureOf(problem: Problem): dynamic.CheckFailure {
  return { property: formatPath(problem.path ?? []), reason: reasonOf(problem, redact) };
}

/** Programs leave a property out by giving it nothing. */
function withoutNothing(value: Properties): Declared {
  return Object.fromEntries(Object.entries(value).filter(([, property]) => property != null));
}

/** By the kind's own schema; values that are not known yet are right. */
function specProblems({ kind }: AnyAdapter, declared: Declared): Problem[] {
  const parsed = kind.spec.safeParse(declared);
  if (parsed.success) {
    // The engine passes numbers on as doubles: what the program wrote is not known any more.
    const inexact = inexactIn(declared, isSafe);
    return inexact === undefined ? [] : [inexact];
  }
  return zodProblems(parsed.error, declared, { schema: kind.spec }).filter(
    (problem) => !isAboutUnknown(problem, declared),
  );
}

async function liveProblems(adapter: AnyAdapter, olds: Properties, declared: Declared): Promise<Problem[]> {
  try {
    const opened = theStack();
    return await opened.stack.turns.declaring(() => planned(adapter, olds, declared, opened));
  } catch (error) {
    return problemsFrom(error);
  }
}

async function planned(
  adapter: AnyAdapter,
  olds: Properties,
  declared: Declared,
  { stack, planner }: Opened,
): Promise<Problem[]> {
  const unknown = unknownPaths(declared);
  if (unknown.length > 0) {
    sayOnce(notKnownYet(adapter.kind.name, unknown));
    return [];
  }
  const spec = adapter.kind.spec.parse(declared);
  const conflicts = conflictsOf(adapter, spec, stack);
  stack.registry.add(adapter.kind, spec);
  // What is being written can't be planned beside; the preview has told it.
  if (conflicts.length > 0 || stack.turns.hasWritten()) return conflicts;
  const isNew = Object.keys(olds).length === 0;
  const context = () => adapter.withOlds(contextFor(stack.planning, adapter.kind, spec), olds);
  const target = { adapter, spec, isNew, context };
  // What an existing resource needs is told by `diff`, which is given more of what was before.
  const { problems } = isNew ? await planner.announce(target) : await planOne(target);
  if (isNew && problems.length > 0 && problems.every(({ code }) => code === 'unreachable')) {
    sayOnce(redact(unreachableYet(target, problems)));
    return [];
  }
  return mayBeResolved(problems) ? [] : problems;
}

/** Of this resource with those declared before it. */
function conflictsOf({ kind }: AnyAdapter, spec: unknown, stack: Opened['stack']): Problem[] {
  const name = nameOf(spec);
  const specs = new Map([...stack.registry.of(kind), [name, spec]]);
  const conflicts = kind.conflicts(specs, { managerUrl: stack.managerUrl });
  return conflicts
    .filter(({ path, also = [] }) => path?.[0] === name || also.some((other) => other.path[0] === name))
    .map(({ also: _, path = [], ...problem }) => ({ ...problem, path: path[0] === name ? path.slice(1) : [] }));
}
