/**
 * A plan file is applied only if it still says what a plan made now would say. It may come from elsewhere or may have been
 * edited, so its calls are held against every guard by themselves, before they are compared.
 */
import deepDiff from 'deep-diff';
import { type Problem, ProblemError } from '../input/problem.ts';
import { type Call, callKey, type UpdateSettingsCall } from '../resources/call.ts';
import { settingNames } from '../resources/settingsDiff.ts';
import { type Config, withDeclaration } from './config.ts';
import type { Run } from './journal.ts';
import { declarationOf, type PlanFile } from './planFile.ts';
import type { Planned } from './planner.ts';

/**
 * The configuration with what the plan declares. Where declarations are at hand too (`config`), both must be about the same.
 * @throws ProblemError
 */
export function declaredByPlan(file: PlanFile, config: Config): Config {
  if (config.declared.length > 0) refuse(declarationChanges(file, config));
  return withDeclaration(config, file.declaration);
}

/** What the plan is about, as selectors. */
export function selectedIn({ resources }: PlanFile): string[] {
  return resources.map(({ collection, name }) => `${collection}/${name}`);
}

/** What can be held against it without a look at the live account. @throws ProblemError */
export function verifyPlanFile(file: PlanFile, runs: readonly Run[], meta: { origin: string; version: string }): void {
  const applied = runs.find(({ plan }) => plan === file.id);
  refuse([
    ...(applied ? [appliedAlready(applied)] : []),
    ...(file.origin === meta.origin ? [] : [otherOrigin(file.origin, meta.origin)]),
    ...(file.version === meta.version ? [] : [otherVersion(file.version, meta.version)]),
  ]);
}

/** What the live account says now against what the plan says. @throws ProblemError */
export function comparePlanFile(file: PlanFile, planned: readonly Planned[], { locate }: Config): void {
  const problems = planned.flatMap(({ plan }) => plan.problems);
  const guards = planned.flatMap((each) => guardProblems(each, callsIn(file, each), locate));
  refuse([...problems, ...guards]);
  refuse(planned.flatMap((each) => differences(file, each)));
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemError(problems);
}

function callsIn(file: PlanFile, { plan }: Planned): Call[] {
  return (
    file.resources.find(({ collection, name }) => collection === plan.collection && name === plan.name)?.calls ?? []
  );
}

function guardProblems({ declared, state }: Planned, calls: readonly Call[], locate: Config['locate']): Problem[] {
  if (state === undefined) return [];
  const { definition, spec, collection, name } = declared;
  return definition.guard(spec, state, calls).map((problem) => locate(problem, [collection, name]));
}

/** Calls that stand only in the file or only in a plan made now, and what has changed since. */
function differences(file: PlanFile, planned: Planned): Problem[] {
  const { collection, name, calls: now, fingerprints } = planned.plan;
  const then = callsIn(file, planned);
  const keys = { before: new Set(then.map(callKey)), now: new Set(now.map(callKey)) };
  const gone = then.filter((call) => !keys.now.has(callKey(call)));
  const come = now.filter((call) => !keys.before.has(callKey(call)));
  if (gone.length === 0 && come.length === 0) return [];
  const hashes =
    file.resources.find((resource) => resource.collection === collection && resource.name === name)?.fingerprints ?? {};
  const changed = Object.keys(fingerprints).filter((what) => hashes[what] !== fingerprints[what]);
  return [
    {
      code: 'stale-plan',
      path: [collection, name],
      found: [
        'the plan is not what would be planned now',
        ...gone.map((call) => `only in the file: ${inWords(call)}`),
        ...come.map((call) => `only now: ${inWords(call)}`),
        ...(changed.length > 0 ? [`changed since: ${changed.join(', ')}`] : []),
      ].join('; '),
      allowed: 'a plan whose calls are still the same',
      fix: 'plan again, and review what has changed',
    },
  ];
}

function inWords(call: Call): string {
  if (call.type === 'deletePorts') return `delete ports ${call.ports.join(', ')}`;
  if (call.type === 'updateSettings') return `set ${settingsInWords(call)}`;
  const ips = call.moves.map(({ ip }) => ip);
  const shown = ips.length > 5 ? [...ips.slice(0, 5), `and ${ips.length - 5} more`] : ips;
  return `${call.from} -> ${call.to}: ${shown.join(', ')}`;
}

function settingsInWords({ before, settings }: UpdateSettingsCall): string {
  const names = settingNames.filter((name) => name in settings);
  return names.map((name) => `${name} ${JSON.stringify(before[name])} -> ${JSON.stringify(settings[name])}`).join(', ');
}

function appliedAlready({ startedAt, id }: Run): Problem {
  return {
    code: 'plan-applied',
    found: `this plan was applied already, at ${startedAt} (run ${id.slice(0, 8)})`,
    allowed: 'a plan is applied once',
    fix: 'plan again',
  };
}

function otherOrigin(found: string, allowed: string): Problem {
  return { code: 'other-origin', found: `the plan was made for ${found}`, allowed, fix: 'plan again for this service' };
}

function otherVersion(found: string, allowed: string): Problem {
  return {
    code: 'other-version',
    found: `the plan was made by webdata ${found}`,
    allowed: `webdata ${allowed}`,
    fix: 'plan again',
  };
}

/** Where a file of declarations is at hand, the plan must be about the same ones. */
function declarationChanges(file: PlanFile, config: Config): Problem[] {
  const differing = deepDiff.diff(file.declaration, declarationOf(config)) ?? [];
  return differing.slice(0, 5).map(({ path = [] }) => ({
    code: 'other-declaration',
    path,
    found: `the plan was made from another declaration: ${path.join('.') || 'all of it'} is otherwise now`,
    allowed: 'a plan of the declaration at hand',
    fix: 'plan again',
  }));
}
