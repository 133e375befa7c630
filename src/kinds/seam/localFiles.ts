/** The capability of a kind whose specs name local files: `webdata validate` checks them without a server. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { capability } from './capability.ts';
import type { Context } from './context.ts';

interface LocalFiles<Spec = unknown> {
  /** Returns the problems of the files that a spec names, also if they cannot be read. Paths begin within the spec. */
  problems(spec: Spec, readFile: Context['readFile']): Promise<readonly Problem[]>;
}

export const localFiles = capability<LocalFiles>();
