/** Parses values with zod schemas, and turns the issues into problems with the nearest valid name and a fix. */
import type * as z from 'zod';
import { valueAt } from '../values/plain.ts';
import { didYouMean, nearest, otherNumber } from './nearest.ts';
import { formatPath, nameOf } from './path.ts';
import type { Problem } from './problem.ts';
import { describeSecret, describeValue } from './valueWords.ts';
import { wrongTypeFix } from './wrongTypeFix.ts';
import { asNoun, describe, joinAlternatives, listValues } from './zodDescribe.ts';
import {
  alternativesOf,
  definitionOf,
  isSecret,
  keysOf,
  metaOf,
  pathToKey,
  type Schema,
  schemasAt,
} from './zodSchema.ts';

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; problems: Problem[] };

interface ParseContext extends Pick<z.core.ParseContext, 'jitless'> {
  /** The path of the value in the file. */
  path?: readonly PropertyKey[];
  /** Returns the scalar at a path from the top of the file, as it is in the file (`YamlSource.written`). */
  written?: (path: readonly PropertyKey[]) => string | undefined;
}

/** Parses a value. The problems have no locations. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, context: ParseContext = {}): Parsed<z.output<S>> {
  const { jitless, path = [], written } = context;
  // Only issues with words of their own have a message then.
  const parsed = schema.safeParse(value, { jitless, error: () => '' });
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: problemsOf(parsed.error.issues, { schemas: [schema], value, path, written }) };
}

/** Returns the problems of a value; none if it is valid. */
export function valueProblems(schema: z.ZodType, value: unknown, context?: ParseContext): Problem[] {
  const parsed = parse(schema, value, context);
  return parsed.ok ? [] : parsed.problems;
}

/**
 * Raises a problem inside `.check(ctx => …)` or `.superRefine((value, ctx) => …)`. The paths of the error start at the checked value.
 */
export function problemIssue(ctx: { value: unknown; issues: z.core.$ZodRawIssue[] }, problem: Problem): void {
  ctx.issues.push({
    code: 'custom',
    message: problem.found,
    // Copied because zod changes it.
    path: [...(problem.path ?? [])],
    params: { ...problem },
    input: ctx.value,
    continue: true,
  });
}

/** Returns a refinement for `.superRefine()` that raises the problems that a rule finds in the value. */
export function raising<Value>(rule: (value: Value) => Problem | readonly Problem[] | undefined) {
  return (value: Value, context: Parameters<typeof problemIssue>[0]): void => {
    for (const problem of [rule(value) ?? []].flat()) problemIssue(context, problem);
  };
}

type Issue = z.core.$ZodIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

/** A value, its path in the file, and the schemas that may apply to it. */
interface Spot {
  schemas: readonly Schema[];
  value: unknown;
  path: readonly PropertyKey[];
  written: ParseContext['written'];
}

function below(spot: Spot, path: readonly PropertyKey[]): Spot {
  return {
    ...spot,
    schemas: schemasAt(spot.schemas, path, spot.value),
    value: valueAt(spot.value, path),
    path: [...spot.path, ...path],
  };
}

/**
 * Returns the problems of issues whose paths begin at `start`, except those that follow from another one: a length check of a value of the
 * wrong type, a missing key that is misspelled, and a rule about a whole map, such as that it declares something, if one of its keys is not known.
 */
function problemsOf(issues: readonly Issue[], start: Spot): Problem[] {
  const all = issues.map((issue) => ({ isRule: issue.code === 'custom', problems: problemsOfOne(issue, start) }));
  // Indexed by path, because there may be a hundred thousand problems.
  const byCode = Map.groupBy(
    all.flatMap(({ problems }) => problems),
    ({ code }) => code,
  );
  const wrongTypes = new Set(byCode.get('wrong-type')?.map(({ path = [] }) => formatPath(path)));
  const unknownKeys = Map.groupBy(byCode.get('unknown-key') ?? [], ({ path = [] }) => formatPath(path.slice(0, -1)));
  const isConsequence = ({ code, path = [] }: Problem) => {
    if (code === 'too-small' || code === 'too-big') return wrongTypes.has(formatPath(path));
    const siblings = code === 'missing-key' ? unknownKeys.get(formatPath(path.slice(0, -1))) : undefined;
    return siblings?.some((other) => nearest(String(other.path?.at(-1)), [String(path.at(-1))]) !== undefined) === true;
  };
  return all.flatMap(({ isRule, problems }) =>
    problems.filter((problem) => (isRule ? !unknownKeys.has(formatPath(problem.path ?? [])) : !isConsequence(problem))),
  );
}

function problemsOfOne(issue: Issue, start: Spot): Problem[] {
  const spot = below(start, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, issue, spot, start));
    case 'invalid_key':
      return unusableKey(issue, spot);
    case 'custom':
      return [customProblem(issue, spot)];
    case 'invalid_union':
      return unionProblems(issue, spot);
    case 'invalid_type':
      return [
        wrong(issue, spot, {
          code: 'wrong-type',
          fix: isWrongInQuotes(spot) ? undefined : wrongTypeFix(issue.expected, spot.value, writtenAt(spot)),
        }),
      ];
    case 'invalid_value':
      return [notOneOf(issue.values, issue, spot)];
    case 'too_small':
    case 'too_big':
      return [outOfBounds(issue, spot)];
    default:
      return [wrong(issue, spot, { code: 'wrong-format' })];
  }
}

/** Returns a problem that names the value and what is allowed instead: in the words of the author, or else of the schema. */
function wrong(
  issue: Issue,
  spot: Spot,
  problem: { code: string; allowed?: string; fix?: string | undefined },
): Problem {
  const { schemas, value, path } = spot;
  // zod reports only the likely branch of a union, but all of them are allowed.
  const isOneBranch = issue.code !== 'invalid_union' && schemas.some((each) => definitionOf(each).type === 'union');
  const words = issue.message === '' || isOneBranch ? undefined : asNoun(issue.message);
  const allowed = words ?? (isOneBranch ? undefined : problem.allowed) ?? describe(schemas);
  const fix = problem.fix ?? fixForNothing(value, path.at(-1));
  return {
    code: value === undefined ? 'missing-key' : problem.code,
    found: `${nameOf(path)} is ${isHidden(spot) ? describeSecret(value) : describeValue(value, writtenAt(spot))}`,
    ...(allowed && { allowed }),
    ...(fix && { fix }),
    path: [...path],
  };
}

/** Returns true for a scalar that would be refused as a text too, such as a duration without a unit. */
function isWrongInQuotes(spot: Spot): boolean {
  const patterns = spot.schemas.flatMap((schema) => metaOf(schema).pattern ?? []);
  return patterns.some((pattern) => !new RegExp(String(pattern)).test(writtenAt(spot) ?? ''));
}

function fixForNothing(value: unknown, key: PropertyKey | undefined): string | undefined {
  if (value === null) return 'give it a value, or remove the line';
  if (value !== undefined) return undefined;
  if (key === undefined) return 'write something';
  // An item of a list without a value comes from a program, such as a variable that is null in Terraform.
  return typeof key === 'number' ? 'give the item a value, or leave it out' : `add \`${String(key)}: …\` here`;
}

function isHidden({ schemas }: Spot): boolean {
  return schemas.some(isSecret);
}

/** Returns a scalar as it is in the file, or else as YAML would write it; undefined for a list, a map or a secret. */
function writtenAt(spot: Spot): string | undefined {
  if (isHidden(spot)) return undefined;
  const { value, path, written } = spot;
  return written?.(path) ?? (typeof value === 'object' || value === undefined ? undefined : String(value));
}

/** `start` has the maps around the one with the unknown key. */
function unknownKey(key: string, issue: Issue, { schemas, value, path }: Spot, start: Spot): Problem {
  // A branch of a union that has the key did not refuse it.
  const maps = schemas.flatMap((each) => alternativesOf(each, value)).map(keysOf);
  const keys = [...new Set(maps.filter((known) => !known.includes(key)).flat())];
  const free = keys.filter((each) => valueAt(value, [each]) === undefined);
  // `zone` of an allocation is its `zones`, and not the setting of a manager that has this name.
  const elsewhere = nearest(key, free, otherNumber) === undefined ? belongsUnder(key, issue.path, start) : undefined;
  return {
    code: 'unknown-key',
    found: `unknown key \`${key}\`${path.length === 0 ? '' : ` in ${nameOf(path)}`}`,
    ...(keys.length > 0 && { allowed: listValues(keys) }),
    fix: elsewhere ?? didYouMean(key, free) ?? 'remove it',
    path: [...path, key],
    at: 'key',
  };
}

/** Names a map in which the key would be valid: one below the current map, or else the nearest one around it. */
function belongsUnder(key: string, path: readonly PropertyKey[], start: Spot): string | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const around = below(start, path.slice(0, length));
    const steps = pathToKey(around.schemas, key);
    if (steps === undefined) continue;
    const isHere = length === path.length;
    // Another form of the same map has this key: `allowed` shows it.
    if (isHere && steps.length === 0) return undefined;
    const map = formatPath(isHere ? steps : [...around.path, ...steps]);
    return `move it: \`${key}\` belongs ${map === '' ? 'at the top' : `under ${map}`}`;
  }
  return undefined;
}

/** Returns the problems of a name that a map with free names, such as `zones`, does not accept. */
function unusableKey(issue: IssueOf<'invalid_key'>, { path, written }: Spot): Problem[] {
  const name: Spot = { schemas: [], value: path.at(-1), path, written };
  const found = { code: 'unusable-key', found: `${nameOf(path)} cannot be a name here` };
  return issue.issues.flatMap((each) =>
    problemsOfOne(each, name).map((problem) => ({ ...problem, ...(each.code !== 'custom' && found), at: 'key' })),
  );
}

/** Returns the problem that a refinement passed to `problemIssue`, or else one whose `allowed` is the message. */
function customProblem(issue: IssueOf<'custom'>, spot: Spot): Problem {
  const { params } = issue;
  if (typeof params?.code !== 'string' || typeof params.found !== 'string')
    return wrong(issue, spot, { code: 'not-allowed' });
  const { path = [], also, ...problem } = params as Problem;
  const start = spot.path.slice(0, spot.path.length - path.length);
  return {
    ...problem,
    path: [...start, ...path],
    ...(also && { also: also.map((each) => ({ ...each, path: [...start, ...each.path] })) }),
  };
}

function notOneOf(values: readonly unknown[], issue: Issue, spot: Spot): Problem {
  const fix = typeof spot.value === 'string' ? didYouMean(spot.value, values.map(String)) : undefined;
  return wrong(issue, spot, { code: 'not-one-of', allowed: listValues(values), fix });
}

function outOfBounds(issue: IssueOf<'too_small' | 'too_big'>, spot: Spot): Problem {
  const { value, path } = spot;
  const { code, most, bound } =
    issue.code === 'too_small'
      ? { code: 'too-small', most: 'at least', bound: issue.minimum }
      : { code: 'too-big', most: 'at most', bound: issue.maximum };
  // A number in a query is text until the schema turns it into a number.
  const isCounted = issue.origin !== 'number' && (typeof value === 'string' || Array.isArray(value));
  if (!isCounted) return wrong(issue, spot, { code });
  const units = (count: number) =>
    `${count} ${typeof value === 'string' ? 'character' : 'item'}${count === 1 ? '' : 's'}`;
  const allowed = `${issue.exact ? 'exactly' : most} ${units(Number(bound))}`;
  // A schema that trims text counts nothing in a blank one.
  const isBlank = typeof value === 'string' && value !== '' && value.trim() === '';
  return {
    ...wrong(issue, spot, { code, allowed }),
    found: `${nameOf(path)} ${isBlank ? 'is blank' : `has ${units(value.length)}`}`,
  };
}

/**
 * Returns the problems of the branch with the fewest. If no branch fits the type of the value, or two are equally likely and the
 * schema has a message of its own, returns one problem that lists what all branches allow.
 */
function unionProblems(issue: IssueOf<'invalid_union'>, spot: Spot): Problem[] {
  if ('options' in issue && issue.options) return [notOneOf(issue.options, issue, spot)];
  if (spot.value === undefined) return [wrong(issue, spot, { code: 'wrong-type' })];
  const options = spot.schemas.map(definitionOf).flatMap((def) => (def.type === 'union' ? def.options : []));
  const branches = issue.errors.map((issues, index) => ({
    wasMeant: !issues.some(isMismatch),
    isNumber: issues.some((each) => isMismatch(each) && 'expected' in each && /^(number|int)$/.test(each.expected)),
    problems: problemsOf(issues, { ...spot, schemas: options.slice(index, index + 1) }),
  }));
  const meant = branches.filter(({ wasMeant }) => wasMeant);
  const [best, next] = meant.sort((a, b) => a.problems.length - b.problems.length);
  const isClear = best?.problems.length !== next?.problems.length || issue.message === '';
  if (best && isClear) return best.problems;
  const failed = branches.flatMap(({ problems }) => problems);
  const allowed = joinAlternatives(failed.flatMap((problem) => problem.allowed ?? []));
  const fix = branches.find(({ isNumber }) => isNumber)?.problems[0]?.fix;
  return [wrong(issue, spot, { code: 'wrong-type', ...(allowed && { allowed }), fix })];
}

/** Reports whether the value as a whole does not fit the branch, as opposed to a part of it. */
function isMismatch(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return issue.errors.every((issues) => issues.some(isMismatch));
  return issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_format';
}
