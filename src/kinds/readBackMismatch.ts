/** The problem with what was sent and answered, and is not there when it is read back. */
import type { Problem } from '../diagnostics/problem.ts';

interface Mismatch {
  path: readonly PropertyKey[];
  wanted: unknown;
  got: unknown;
  /** Who answered. */
  by: string;
  fix: string;
}

export function readBackMismatch({ path, wanted, got, by, fix }: Mismatch): Problem {
  return {
    code: 'did-not-take',
    path: [...path],
    found: `${path.join('.')}: wanted ${shown(wanted)}, got ${shown(got)}: ${by} answered, and did not take it`,
    fix,
  };
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
