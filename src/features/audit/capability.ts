/** The capability that `webdata audit` needs of a kind. */
import { capability } from '../../kinds/seam/capability.ts';
import type { Context, LiveTarget } from '../../kinds/seam/context.ts';

interface Auditing<Spec = unknown> {
  /** The lists of addresses that may use zones, declared or not. Reads nothing itself. */
  allowLists(target: LiveTarget<Spec>, context: Context<Spec>): AllowList[];
}

export const auditing = capability<Auditing>();

/** A list of the addresses that may use zones. Entries are addresses and networks. */
export interface AllowList {
  /** The server that holds the live list, such as the URL of a manager. */
  owner: string;
  /** Undefined if the list is not declared. `path` begins with the name of the resource. */
  declared?: { path: PropertyKey[]; entries: readonly string[] } | undefined;
  /** Reads the live entries. Undefined if they are not shown. @throws ProblemError, ServiceError */
  live(): Promise<readonly string[] | undefined>;
}
