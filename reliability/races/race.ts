/** A race between two or more processes, and the invariant for every order. */
import type { CampaignStage } from '../frame/campaign.ts';

export interface Race {
  name: string;
  /** The invariant for every outcome. */
  holds: string;
  /** The requirement that this machine does not meet, if any. */
  lacks?: string | undefined;
  /** The number of runs, in the long and in the short form. */
  times: number;
  short: number;
  /** It needs the whole machine, and runs alone. */
  isLarge?: boolean;
  run(stage: CampaignStage, random: () => number): Promise<Raced>;
}

export interface Raced {
  /** The outcome in a word or two. The page counts each outcome. */
  cameTo: string;
  /** The violations. */
  faults: string[];
}
