/** Rules for an account as a whole, beyond the schemas of its fields. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { expandRange } from './addresses.ts';

/** The parts of an account that the rules examine. */
interface Ruled {
  users: readonly string[];
  apiKeys: readonly { user: string }[];
  zones: Readonly<Record<string, { ips: Ranges }>>;
}

/** A list of addresses and ranges, or ranges by country. */
type Ranges = readonly { ip: string }[] | Readonly<Record<string, readonly string[]>>;

export function accountProblems(account: Ruled): Problem[] {
  return [...keyProblems(account), ...ipProblems(account)];
}

/** Checks that there is one key per listed user; so there are never more keys than users. */
function* keyProblems({ users, apiKeys }: Ruled): Generator<Problem> {
  const known = new Set(users);
  const holders = new Map<string, PropertyKey[]>();
  for (const [index, { user }] of apiKeys.entries()) {
    const path = ['apiKeys', index, 'user'];
    const first = holders.get(user);
    if (!known.has(user)) {
      yield {
        code: 'unknown-user',
        found: `user \`${user}\` is not in \`users\``,
        ...(users.length > 0 && { allowed: listValues(users) }),
        fix: didYouMean(user, users) ?? 'add the user to `users`',
        path,
      };
    }
    if (first === undefined) holders.set(user, path);
    else {
      yield {
        code: 'second-key',
        found: `a second key of \`${user}\``,
        allowed: 'one key per user',
        fix: 'remove one of them, or name another user',
        path,
        also: [{ path: first, what: 'is the first' }],
      };
    }
  }
}

/** Checks that each IP is in exactly one zone. */
function* ipProblems({ zones }: Ruled): Generator<Problem> {
  const places = new Map<string, PropertyKey[]>();
  for (const [name, { ips }] of Object.entries(zones)) {
    for (const { range, path } of rangesOf(ips)) {
      const fullPath = ['zones', name, 'ips', ...path];
      const addresses = expandRange(range);
      const twice = addresses.find((ip) => places.has(ip));
      if (twice !== undefined) {
        yield {
          code: 'ip-declared-twice',
          found: `${twice} is declared twice`,
          allowed: 'each IP once, in one zone',
          fix: 'remove it from one of the two zones',
          path: fullPath,
          also: [{ path: places.get(twice) ?? [], what: 'is the other one' }],
        };
      }
      for (const ip of addresses) places.set(ip, fullPath);
    }
  }
}

function rangesOf(ips: Ranges): { range: string; path: PropertyKey[] }[] {
  if (isList(ips)) return ips.map(({ ip }, index) => ({ range: ip, path: [index, 'ip'] }));
  return Object.entries(ips).flatMap(([code, ranges]) =>
    ranges.map((range, index) => ({ range, path: [code, index] })),
  );
}

/** Narrows the type, which `Array.isArray` does not do for readonly lists. */
function isList(ips: Ranges): ips is readonly { ip: string }[] {
  return Array.isArray(ips);
}
