/** The capability that `webdata show` needs of a kind, besides its claims on zones. */
import { capability } from '../../kinds/seam/capability.ts';
import type { Context, LiveTarget } from '../../kinds/seam/context.ts';

interface Showing<Spec = unknown> {
  /** The live objects other than zones, such as managers and schedules, declared or not. Reads only. @throws ProblemError, ServiceError */
  liveObjects(target: LiveTarget<Spec>, context: Context<Spec>): Promise<LiveObject[]>;
}

export const showing = capability<Showing>();

export interface LiveObject {
  name: string;
  isDeclared: boolean;
  /** Reads what there is to show, as plain JSON by name. @throws ProblemError, ServiceError */
  facts(): Promise<Readonly<Record<string, unknown>>>;
}
