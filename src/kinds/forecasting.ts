/** The capability that a forecast needs of a kind that triggers on a schedule. */
import type { Timing } from '../triggers/timing/timing.ts';
import { capability } from './capability.ts';

interface Forecasting<Spec = unknown> {
  /** Pure: the target and the timing of a schedule. */
  firing(spec: Spec): Firing;
}

export const forecasting = capability<Forecasting>();

export interface Firing {
  /** The collector or dataset that is triggered: `c_prices`. */
  target: string;
  timing: Timing;
  overlap: 'skip' | 'queue' | 'cancel' | 'allow';
  isPaused: boolean;
  /** The longest time in milliseconds that a job may take, if it is declared. */
  longestMs: number | undefined;
}
