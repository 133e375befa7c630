/** The problem of a value that a server accepted although reading it back shows another one. */
import type { Problem } from '../../base/diagnostics/problem.ts';

interface Mismatch {
  path: readonly PropertyKey[];
  wanted: unknown;
  got: unknown;
  /** The server that answered. */
  by: string;
  fix: string;
}

export function readBackMismatch({ path, wanted, got, by, fix }: Mismatch): Problem {
  return {
    code: 'did-not-take',
    path: [...path],
    found: `${path.join('.')}: wanted ${shown(wanted)}, got ${shown(got)}, although ${by} accepted the change`,
    fix,
  };
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
