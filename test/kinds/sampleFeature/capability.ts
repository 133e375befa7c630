/** What `webdata servers` needs of a kind. */
import { capability } from '../../../src/kinds/seam/capability.ts';
import type { Context } from '../../../src/kinds/seam/context.ts';

export interface Serving<Spec = unknown> {
  /** The URL of the server that holds the live object. */
  server(spec: Spec, context: Context<Spec>): string;
  /** Reads in a few words what the server holds for this resource. @throws ProblemError, ServiceError */
  held(spec: Spec, context: Context<Spec>): Promise<string>;
}

export const serving = capability<Serving>();
