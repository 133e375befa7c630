/** Turns zod issues into problems with the nearest valid name and a fix. The one switch over zod's issue codes is here. */
import type * as z from 'zod';
import { valueAt } from '../values/plain.ts';
import { didYouMean, nearest, otherNumber } from './nearest.ts';
import { formatPath, nameOf } from './path.ts';
import type { Problem } from './problem.ts';
import { describeFormat, describeType, joinAlternatives, listValues } from './zodDescribe.ts';
import {
  allowedAt,
  authorsWords,
  type Issue,
  isHidden,
  missing,
  type ParsedFrame,
  subFrame,
  whole,
  writtenAt,
  wrong,
  wrongTypeFix,
} from './zodFrame.ts';
import { allowedKeys, mapsWithKey, unionOptions } from './zodSchema.ts';

/** Optional knowledge that makes problems more helpful. */
interface ZodContext {
  /** The schema, which has the valid keys and the limits that an issue leaves out. */
  schema?: z.core.$ZodType;
  /** The path of the value in the file. */
  path?: readonly PropertyKey[];
  /** Returns the text to show instead of a value that came from a variable (`YamlSource.written`). */
  written?: ParsedFrame['written'];
}

/** `value` is the parsed value, which zod's issues do not carry. The problems have no locations. */
export function zodProblems(error: z.core.$ZodError, value: unknown, context: ZodContext = {}): Problem[] {
  const frame: ParsedFrame = { ...context, value, path: context.path ?? [] };
  return problemsOf(error.issues, frame);
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

type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

/** Returns the problems of all issues, except those that follow from another one. */
function problemsOf(issues: readonly Issue[], frame: ParsedFrame): Problem[] {
  const all = issues.map((issue) => ({ issue, problems: problemsOfOne(issue, frame) }));
  const causes = causesIn(all.flatMap(({ problems }) => problems));
  return all.flatMap(({ issue, problems }) => problems.filter((problem) => !isConsequence(problem, issue, causes)));
}

/** Problems that others may follow from, indexed by path, because there may be a hundred thousand problems. */
interface Causes {
  wrongTypes: ReadonlySet<string>;
  /** Indexed by the path of the map that holds them. */
  unknownKeys: ReadonlyMap<string, readonly Problem[]>;
}

function causesIn(problems: readonly Problem[]): Causes {
  const wrongTypes = problems.filter(({ code }) => code === 'wrong-type');
  const unknownKeys = problems.filter(({ code }) => code === 'unknown-key');
  return {
    wrongTypes: new Set(wrongTypes.map(({ path = [] }) => formatPath(path))),
    unknownKeys: Map.groupBy(unknownKeys, ({ path = [] }) => formatPath(path.slice(0, -1))),
  };
}

/**
 * Reports whether the problem follows from another: a length check of a value of the wrong type, a missing key that is misspelled, or a
 * rule about a whole map, such as that it declares something, if one of its keys is not known.
 */
function isConsequence({ code, path = [] }: Problem, issue: Issue, { wrongTypes, unknownKeys }: Causes): boolean {
  if (issue.code === 'custom') return unknownKeys.has(formatPath(path));
  if (code === 'too-small' || code === 'too-big') return wrongTypes.has(formatPath(path));
  if (code !== 'missing-key') return false;
  const siblings = unknownKeys.get(formatPath(path.slice(0, -1))) ?? [];
  const missing = [String(path.at(-1))];
  return siblings.some((other) => nearest(String(other.path?.at(-1)), missing) !== undefined);
}

function problemsOfOne(issue: Issue, frame: ParsedFrame): Problem[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, issue, frame));
    case 'invalid_key':
      return issue.issues.flatMap((each) => unusableKey(each, issue, frame));
    case 'invalid_element':
      return problemsOf(issue.issues, subFrame(frame, issue.path));
    case 'custom':
      return [customProblem(issue, frame)];
    case 'invalid_union':
      return unionProblems(issue, frame);
    case 'invalid_type':
      return [wrongType(issue, frame)];
    case 'invalid_value':
      return [notOneOf(issue.values, issue, frame)];
    case 'invalid_format':
      return [wrong(issue, frame, { code: 'wrong-format', allowed: describeFormat(issue) })];
    case 'not_multiple_of':
      return [wrong(issue, frame, { code: 'not-a-multiple', allowed: `a multiple of ${issue.divisor}` })];
    case 'too_small':
    case 'too_big':
      return [outOfBounds(issue, frame)];
  }
}

function unknownKey(key: string, issue: Issue, frame: ParsedFrame): Problem {
  const path = whole(issue, frame);
  const keys = frame.schema ? allowedKeys(frame.schema, issue.path, frame.value, key) : [];
  const free = keys.filter((each) => valueAt(frame.value, [...issue.path, each]) === undefined);
  // `zone` of an allocation is its `zones`, and not the setting of a manager that has this name.
  const elsewhere = nearest(key, free, otherNumber) === undefined ? belongsUnder(key, issue, frame) : undefined;
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
function belongsUnder(key: string, issue: Issue, frame: ParsedFrame): string | undefined {
  if (frame.schema === undefined) return undefined;
  for (let length = issue.path.length; length >= 0; length -= 1) {
    const base = issue.path.slice(0, length);
    const [steps] = mapsWithKey(frame.schema, base, key, frame.value);
    if (steps === undefined) continue;
    if (length < issue.path.length) return belongs(key, [...frame.path, ...base, ...steps]);
    // Another form of the same map has this key: `allowed` shows it.
    return steps.length === 0 ? undefined : belongs(key, steps);
  }
  return undefined;
}

function belongs(key: string, mapPath: readonly PropertyKey[]): string {
  return `move it: \`${key}\` belongs ${mapPath.length === 0 ? 'at the top' : `under ${formatPath(mapPath)}`}`;
}

/** Returns the problems of a name that a map with free names, such as `zones`, does not accept. */
function unusableKey(each: Issue, issue: IssueOf<'invalid_key'>, frame: ParsedFrame): Problem[] {
  const key = issue.path.at(-1);
  const { schema: _, ...sub } = { ...subFrame(frame, issue.path), value: key };
  const found =
    each.code === 'custom' ? {} : { code: 'unusable-key', found: `${nameOf(sub.path)} cannot be a name here` };
  return problemsOfOne(each, sub).map((problem) => ({ ...problem, ...found, at: 'key' }));
}

/** Returns the problem that a refinement passed to `problemIssue`, or else one whose `allowed` is the message. */
function customProblem(issue: IssueOf<'custom'>, frame: ParsedFrame): Problem {
  const { params } = issue;
  if (typeof params?.code !== 'string' || typeof params.found !== 'string')
    return wrong(issue, frame, { code: 'not-allowed' });
  const { path: own = [], also, ...problem } = params as Problem;
  const start = [...frame.path, ...issue.path.slice(0, issue.path.length - own.length)];
  return {
    ...problem,
    path: [...start, ...own],
    ...(also && { also: also.map((each) => ({ ...each, path: [...start, ...each.path] })) }),
  };
}

function wrongType(issue: IssueOf<'invalid_type'>, frame: ParsedFrame): Problem {
  const written = isHidden(issue, frame) ? undefined : writtenAt(issue, frame);
  const fix = wrongTypeFix(issue.expected, valueAt(frame.value, issue.path), written);
  const allowed = allowedAt(issue, frame) ?? describeType(issue.expected);
  return wrong(issue, frame, { code: 'wrong-type', allowed, ...(fix && { fix }) });
}

function notOneOf(values: readonly unknown[], issue: Issue, frame: ParsedFrame): Problem {
  const value = valueAt(frame.value, issue.path);
  const fix = typeof value === 'string' ? didYouMean(value, values.map(String)) : undefined;
  return wrong(issue, frame, { code: 'not-one-of', allowed: listValues(values), ...(fix && { fix }) });
}

function outOfBounds(issue: IssueOf<'too_small' | 'too_big'>, frame: ParsedFrame): Problem {
  const value = valueAt(frame.value, issue.path);
  const code = issue.code === 'too_small' ? 'too-small' : 'too-big';
  const limit = describeLimit(issue);
  // A number in a query is text until the schema turns it into a number.
  const isCounted = issue.origin !== 'number' && (typeof value === 'string' || Array.isArray(value));
  if (!isCounted) return wrong(issue, frame, { code, allowed: allowedAt(issue, frame) ?? limit });
  const unit = (count: number | bigint) =>
    `${typeof value === 'string' ? 'character' : 'item'}${Number(count) === 1 ? '' : 's'}`;
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum;
  // A schema that trims text counts nothing in a blank one.
  const isBlank = typeof value === 'string' && value !== '' && value.trim() === '';
  const found = `${nameOf(whole(issue, frame))} ${isBlank ? 'is blank' : `has ${value.length} ${unit(value.length)}`}`;
  return { ...wrong(issue, frame, { code, allowed: `${limit} ${unit(bound)}` }), found };
}

function describeLimit(issue: IssueOf<'too_small' | 'too_big'>): string {
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum;
  if (issue.exact) return `exactly ${bound}`;
  if (issue.code === 'too_small') return `${issue.inclusive ? 'at least' : 'more than'} ${bound}`;
  return `${issue.inclusive ? 'at most' : 'less than'} ${bound}`;
}

/**
 * Returns the problems of the branch with the fewest. If no branch fits the type of the value, or two are equally likely and the
 * schema has a message of its own, returns one problem that lists what all branches allow.
 */
function unionProblems(issue: IssueOf<'invalid_union'>, frame: ParsedFrame): Problem[] {
  const value = valueAt(frame.value, issue.path);
  if (value === undefined) return [missing(issue, frame)];
  if ('options' in issue && issue.options) return [notOneOf(issue.options, issue, frame)];
  if (issue.inclusive === false)
    return [
      wrong(issue, frame, { code: 'ambiguous', allowed: 'a value that matches exactly one of the allowed forms' }),
    ];
  const options = frame.schema ? unionOptions(frame.schema, issue.path, frame.value) : [];
  const branches = issue.errors.map((issues, index) => ({
    wasMeant: !issues.some(isMismatch),
    isNumber: issues.some((each) => isMismatch(each) && 'expected' in each && /^(number|int)$/.test(each.expected)),
    problems: problemsOf(issues, subFrame(frame, issue.path, options[index])),
  }));
  const meant = branches.filter(({ wasMeant }) => wasMeant);
  const [best, next] = meant.sort((a, b) => a.problems.length - b.problems.length);
  const isClear = best?.problems.length !== next?.problems.length || authorsWords(issue, value) === undefined;
  if (best && isClear) return best.problems;
  const failed = branches.flatMap(({ problems }) => problems);
  const allowed = joinAlternatives(failed.flatMap((problem) => problem.allowed ?? []));
  const fix = branches.find(({ isNumber }) => isNumber)?.problems[0]?.fix;
  return [wrong(issue, frame, { code: 'wrong-type', ...(allowed && { allowed }), ...(fix && { fix }) })];
}

/** Reports whether the value as a whole does not fit the branch, as opposed to a part of it. */
function isMismatch(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return issue.errors.every((issues) => issues.some(isMismatch));
  return issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_format';
}
