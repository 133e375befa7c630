/** `exceptions:` in the declaration: known drift, whose alarm is muted until a date. They never change what an apply does. */
import { z } from 'zod';
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import { formatPath, parsePath } from '../../base/diagnostics/path.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { whenUsed } from '../../base/diagnostics/zodLazy.ts';
import type { MutedBy } from '../baseline/causes.ts';
import { isDriftNote } from '../baseline/driftRules.ts';
import type { Declared, Planned } from '../plan/resources.ts';

export interface DriftException extends MutedBy {
  /** From the top of the file: the collection, the name, and keys within the resource. */
  path: readonly PropertyKey[];
}

const words = () => z.string().trim().min(1);

const exceptionSchema = () =>
  z.strictObject({
    path: words()
      .describe('The resource, or a part of one, as reports print it.')
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
  });

export const exceptionsSchema = whenUsed(() => z.array(exceptionSchema()))
  .optional()
  .meta({
    examples: [
      [
        {
          path: 'zoneIpAllocations.main',
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
  for (const [index, { path, ...muted }] of written.entries()) {
    const target = partAt(path, declared);
    if ('found' in target) problems.push({ ...target, path: ['exceptions', index, 'path'] });
    else exceptions.push({ ...muted, path: target.path });
  }
  return { exceptions, problems };
}

/** The part within a resource need not be declared: the live state may have more. */
function partAt(text: string, declared: readonly Declared[]): { path: readonly PropertyKey[] } | Problem {
  const path = parsePath(text);
  if (path === undefined) {
    const allowed =
      'a path as reports print it; keys other than words are quoted: `zoneIpAllocations.main.zones.checkout.ips["192.0.2.10"]`';
    return { code: 'unknown-exception-target', found: `\`${text}\` is not a path`, allowed };
  }
  const [collection, name] = path;
  if (declared.some((each) => each.collection === collection && each.name === name)) return { path };
  const candidates = declared.map((each) => formatPath([each.collection, each.name]));
  const fewest = candidates.slice(0, 10).join(', ');
  return {
    code: 'unknown-exception-target',
    found: `path \`${text}\` is not declared`,
    allowed: fewest === '' ? 'a declared resource, or a part of one' : `such as ${fewest}`,
    fix: didYouMean(text, candidates) ?? 'correct it, or remove the exception',
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
