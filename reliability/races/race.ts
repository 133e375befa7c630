/** Two or more that meet, and what must hold whoever comes first. */
import type { Stage } from '../frame/campaign.ts';

export interface Race {
  name: string;
  /** What must hold however it ends. */
  holds: string;
  /** What this machine would need for it. */
  lacks?: string | undefined;
  /** How often it is run, and how often in the short form. */
  times: number;
  short: number;
  /** It takes the whole machine, and is run by itself. */
  isLarge?: boolean;
  run(stage: Stage, random: () => number): Promise<Raced>;
}

export interface Raced {
  /** What came of it, in a word or two: the page says how often each. */
  cameTo: string;
  /** What did not hold. */
  faults: string[];
}
