/** Problems with the arguments of the emulator's controls. */
import { didYouMean } from '../../diagnostics/nearest.ts';
import type { Problem } from '../../diagnostics/problem.ts';
import { listValues } from '../../diagnostics/zodDescribe.ts';
import type { Run } from '../core/runs.ts';
import type { Source } from '../jobs/runSchemas.ts';

export function unknownName(what: 'zone' | 'collector', name: string, known: Iterable<string>): Problem {
  const names = [...known];
  const fix = didYouMean(name, names);
  return {
    code: `unknown-${what}`,
    found: `${what} \`${name}\` does not exist`,
    allowed: listValues(names),
    ...(fix && { fix }),
  };
}

/** Returns the problem for an unknown job. Ids are random, so there is no similar one to suggest. */
export function unknownRun(id: string, runs: readonly Pick<Run, 'id'>[]): Problem {
  return { code: 'unknown-run', found: `job \`${id}\` does not exist`, allowed: listValues(runs.map((run) => run.id)) };
}

export function unfitInputs(found: string, { inputs }: Source): Problem {
  return {
    code: 'wrong-inputs',
    found,
    allowed: listValues(Object.keys(inputs)),
    fix: 'give the inputs of the collector',
  };
}

export function unknownIps(ips: readonly string[]): Problem {
  return {
    code: 'unknown-ip',
    found: `no zone holds ${ips.join(', ')}`,
    allowed: 'IPs of the account',
    fix: 'add them to a zone first',
  };
}

export function takenIps(ips: readonly string[]): Problem {
  return {
    code: 'ip-declared-twice',
    found: `a zone already holds ${ips.join(', ')}`,
    allowed: 'IPs that no zone holds',
    fix: 'move them instead',
  };
}
