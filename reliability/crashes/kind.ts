/** What is killed again and again, and what is looked at after each kill. */
import type { Stage } from '../frame/campaign.ts';
import type { Point } from './points.ts';

export interface Kind {
  name: string;
  /** What must hold after each kill. */
  holds: string;
  /** What this machine would need for it. */
  lacks?: string | undefined;
  /** Random instants are drawn within so long after it was first heard of. */
  spanMs: number;
  /** Runs it once without a kill. */
  boundaries(stage: Stage): Promise<Point[]>;
  play(stage: Stage, point: Point): Promise<Played>;
}

export interface Played {
  /** False where it came to its end before. */
  killed: boolean;
  /** What did not hold. */
  faults: string[];
}
