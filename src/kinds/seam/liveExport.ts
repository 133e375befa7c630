/** Live resources as a person would declare them, for `webdata pull` and for imports. */
import { capability } from './capability.ts';
import type { Context, PullTarget } from './context.ts';

interface LiveExport<Spec = unknown> {
  /** The live resources by name. Undefined if the target names none of this kind. */
  exportLive(target: PullTarget, context: Context<Spec>): Promise<Readonly<Record<string, object>> | undefined>;
}

export const liveExport = capability<LiveExport>();
