/** `exceptions:` in the declaration: known drift, whose alarm is muted until a date. They never change what an apply does. */
import { z } from 'zod';
import { didYouMean, nearest } from '../../base/diagnostics/nearest.ts';
import { formatPath, parsePath } from '../../base/diagnostics/path.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { whenUsed } from '../../base/diagnostics/zodLazy.ts';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { isMapValue } from '../../base/values/plain.ts';
import type { MutedBy } from '../baseline/causes.ts';
import { isDriftNote } from '../baseline/driftRules.ts';
import type { Declared, Planned } from '../plan/resources.ts';

export interface DriftException extends MutedBy {
  /** From the top of the file: the collection, the name, and keys within the resource. */
  path: readonly PropertyKey[];
}

const words = () => z.string().trim().min(1);

const exceptionSchema = () =>
  z
    .strictObject({
      resource: words()
        .optional()
        .describe('The resource, as `KIND/NAME`. Or name a part of one with `path`.')
        .meta({ examples: ['ZoneIpAllocation/main'] }),
      path: words()
        .optional()
        .describe('The part of a resource, as reports print it.')
        .meta({ examples: ['zoneIpAllocations.main.zones.checkout'] }),
      reason: words()
        .describe('Why the drift is accepted for now. Reports show it.')
        .meta({ examples: ['moved by support during an incident'] }),
      owner: words()
        .describe('The person or team that will end it. Reports show it.')
        .meta({ examples: ['team-network'] }),
      until: z.iso
        .date()
        .describe(
          'The last day, in UTC. From the next day on, the drift counts again, and every report shows the exception as expired.',
        )
        .meta({ examples: ['2030-01-31'] }),
    })
    .superRefine(({ resource, path }, context) => {
      if ((resource === undefined) !== (path === undefined)) return;
      const found =
        resource === undefined ? 'an exception that names no resource' : 'an exception with `resource` and `path`';
      problemIssue(context, { code: 'exception-target', found, allowed: 'either `resource` or `path`' });
    });

export const exceptionsSchema = whenUsed(() => z.array(exceptionSchema()))
  .optional()
  .meta({
    examples: [
      [
        {
          resource: 'ZoneIpAllocation/main',
          reason: 'moved by support',
          owner: 'network',
          until: '2030-01-31',
        },
      ],
    ],
  })
  .describe(
    'Known drift. An exception mutes the alarm of `drift` for a resource or a part of it until a date; an apply still corrects it.',
  );

type WrittenException = z.output<ReturnType<typeof exceptionSchema>>;

/** Returns the exceptions with their paths, and a problem for each that names something undeclared. */
export function resolveExceptions(
  written: readonly WrittenException[],
  declared: readonly Declared[],
): { exceptions: DriftException[]; problems: Problem[] } {
  const exceptions: DriftException[] = [];
  const problems: Problem[] = [];
  for (const [index, { resource, path, ...muted }] of written.entries()) {
    const field = resource === undefined ? 'path' : 'resource';
    const target = resource === undefined ? partAt(path ?? '', declared) : resourceNamed(resource, declared);
    if ('found' in target) problems.push({ ...target, path: ['exceptions', index, field] });
    else exceptions.push({ ...muted, path: target.path });
  }
  return { exceptions, problems };
}

type Target = { path: readonly PropertyKey[] } | Problem;

function resourceNamed(text: string, declared: readonly Declared[]): Target {
  const names = declared.map(({ kind, name }) => `${kind}/${name}`);
  const found = declared[names.indexOf(text)];
  return found ? { path: [found.collection, found.name] } : unknownTarget(`resource \`${text}\``, text, names);
}

function partAt(text: string, declared: readonly Declared[]): Target {
  const path = parsePath(text);
  const [collection, name, ...rest] = path ?? [];
  const resource = declared.find((each) => each.collection === collection && each.name === name);
  const titles = declared.map((each) => formatPath([each.collection, each.name]));
  if (path === undefined) return notAPath(text);
  if (resource === undefined) return unknownTarget(`path \`${text}\``, text, titles);
  const unknown = unknownStep(resource, rest);
  if (unknown === undefined) return { path };
  const { at, known } = unknown;
  const before = [collection, name, ...rest.slice(0, at)] as PropertyKey[];
  const candidates = known.map((key) => formatPath([...before, key]));
  return unknownTarget(`path \`${text}\``, formatPath([...before, rest[at] ?? '']), candidates);
}

/** Finds the first step that the spec does not have. Entries of lists need not be declared: the live list may have more. */
function unknownStep(
  { spec, definition }: Declared,
  steps: readonly PropertyKey[],
): { at: number; known: string[] } | undefined {
  let value: unknown = spec;
  for (const [at, step] of steps.entries()) {
    const fields = at === 0 && definition.spec instanceof z.ZodObject ? Object.keys(definition.spec.shape) : [];
    if (Array.isArray(value) || (value === undefined && at > 0)) return undefined;
    const known = isMapValue(value) ? [...new Set([...Object.keys(value), ...fields])] : [];
    if (!known.includes(String(step))) return { at, known };
    value = isMapValue(value) ? value[String(step)] : undefined;
  }
  return undefined;
}

function notAPath(text: string): Problem {
  return {
    code: 'unknown-exception-target',
    found: `\`${text}\` is not a path`,
    allowed:
      'a path as reports print it; keys other than words are quoted: `zoneIpAllocations.main.zones.checkout.ips["192.0.2.10"]`',
  };
}

function unknownTarget(what: string, text: string, candidates: readonly string[]): Problem {
  const near = nearest(text, candidates);
  const fewest = candidates.slice(0, 10).join(', ');
  return {
    code: 'unknown-exception-target',
    found: `${what} is not declared`,
    allowed: fewest === '' ? 'a declared resource, or a part of one' : `such as ${fewest}`,
    fix: near === undefined ? 'correct it, or remove the exception' : (didYouMean(text, [near]) ?? ''),
  };
}

interface DeclaredExceptions {
  exceptions: readonly DriftException[];
  /** Adds the location to a problem. */
  locate(problem: Problem, prefix: readonly PropertyKey[]): Problem;
}

/** Returns a problem for each exception that has expired. `today` is a date in UTC. */
export function expiredExceptions({ exceptions, locate }: DeclaredExceptions, today: string): Problem[] {
  return exceptions.flatMap(({ path, until, reason, owner }, index) => {
    if (!isExpired({ until }, today)) return [];
    const problem: Problem = {
      code: 'expired-exception',
      path: ['exceptions', index, 'until'],
      found: `the exception for ${formatPath(path)} (${reason}; ${owner}) has expired: its drift counts again`,
      allowed: `a date from ${today} on`,
      fix: 'end the drift and remove the exception, or agree on a later date',
    };
    return [locate(problem, [])];
  });
}

function isExpired({ until }: Pick<MutedBy, 'until'>, today: string): boolean {
  return until < today;
}

interface MuteOptions {
  /** The date in UTC. */
  today: string;
  /** Unmanaged IPs count as drift. */
  strict?: boolean | undefined;
}

/** Marks the differences, and the notes that count as drift, that a valid exception mutes. */
export function withExceptions(
  planned: readonly Planned[],
  exceptions: readonly DriftException[],
  { today, strict }: MuteOptions,
): Planned[] {
  const valid = exceptions.filter((each) => !isExpired(each, today));
  if (valid.length === 0) return [...planned];
  return planned.map((each) => {
    const { plan } = each;
    const own = valid.filter(({ path }) => path[0] === plan.collection && path[1] === plan.name);
    if (own.length === 0) return each;
    const muted = (path: readonly PropertyKey[]) => mutedBy(own, path);
    const notes = plan.notes.map((note) =>
      isDriftNote(note, { strict }) ? { ...note, ...muted(note.path ?? []) } : note,
    );
    const causes = plan.causes?.map((change) => ({ ...change, ...muted(change.path) }));
    return { ...each, plan: { ...plan, notes, ...(causes && { causes }) } };
  });
}

function mutedBy(exceptions: readonly DriftException[], path: readonly PropertyKey[]): { muted?: MutedBy } {
  const found = exceptions.find((each) =>
    each.path.slice(2).every((step, index) => String(step) === String(path[index])),
  );
  if (found === undefined) return {};
  const { reason, owner, until } = found;
  return { muted: { reason, owner, until } };
}
