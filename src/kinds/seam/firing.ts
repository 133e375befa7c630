/** The capability of a kind that triggers jobs on a schedule. */
import type { Timing } from '../../triggers/timing/timing.ts';
import { capability } from './capability.ts';

interface Firing<Spec = unknown> {
  /** Pure: the target and the timing of a schedule; undefined if it is paused. */
  scheduled(spec: Spec): { target: string; timing: Timing } | undefined;
}

export const firing = capability<Firing>();
