/** A resource that is to be planned. */
import type { Context } from '../../src/kinds/context.ts';
import type { Adapter } from './adapter.ts';

export interface Target {
  adapter: Adapter<unknown, unknown>;
  spec: unknown;
  /** Made anew for each plan: the program goes on declaring neighbours. */
  context(): Context;
  isNew: boolean;
}
