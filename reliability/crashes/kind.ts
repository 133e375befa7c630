/** A kind of process that is killed repeatedly, and the checks after each kill. */
import type { CampaignStage } from '../frame/campaign.ts';
import type { Point } from './points.ts';

export interface Kind {
  name: string;
  /** The invariant after each kill. */
  holds: string;
  /** The requirement that this machine does not meet, if any. */
  lacks?: string | undefined;
  /** The time after its first sign of life within which random instants are drawn. */
  spanMs: number;
  /** Runs the process once without a kill, and returns its boundaries. */
  boundaries(stage: CampaignStage): Promise<Point[]>;
  play(stage: CampaignStage, point: Point): Promise<Played>;
}

export interface Played {
  /** False if the command ended before the point. */
  killed: boolean;
  /** The violations. */
  faults: string[];
}
