/**
 * The terms of the allocation of IPs to zones, without wire formats and I/O: the declaration, the live account as far as it was
 * listed, the limits that other declarations set, and the plan that follows from the three.
 */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import type { Move } from '../../seam/move.ts';

/** One zone of an allocation: the IPs that are here by address, and how many there are in all, or of each country. */
export interface ZoneDemand {
  ips: readonly string[];
  /** The exact number of IPs, including those in `ips`; or a map with the exact number for each country. */
  count?: number | ReadonlyMap<string, number>;
  /** No call may leave the zone with fewer IPs. */
  keepAtLeast?: number;
}

export interface Allocation {
  zones: ReadonlyMap<string, ZoneDemand>;
  /** Zones that give IPs and are never filled. */
  sources: readonly string[];
  /** Gives IPs, and receives the IPs that are left over. */
  spare?: string;
  /** Unmanaged IPs in the declared zones stay (`report`) or move to the spare (`release`). */
  unmanaged: 'report' | 'release';
  /** IPs that move only into the zone that declares them, and fill no count elsewhere. */
  protect: ReadonlySet<string>;
  /** Distinct IPs that one run may move: a number, or a share of the live IPs in zones, sources and spare. */
  maxMoves?: { count: number } | { percent: number };
}

/** Zone → IP → country (lower case). A zone that was not listed is absent; an empty one is an empty map. */
export type Live = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The parts of the other allocations of the account that limit this one. */
export interface Neighbourhood {
  /** IPs that another allocation declares by address. */
  declared: Pick<ReadonlySet<string>, 'has'>;
  protect: ReadonlySet<string>;
  /** Zone → its `keepAtLeast`. */
  floors: ReadonlyMap<string, number>;
}

/** No other allocation. */
export const alone: Neighbourhood = { declared: new Set(), protect: new Set(), floors: new Map() };

/** The moves of one `POST /zone/ips/migrate` (specification, D3). */
export interface MigrateBatch {
  from: string;
  to: string;
  moves: readonly Move[];
}

/** Limits that are not part of the declaration. */
export interface Limits {
  /** Maximum number of IPs per call; if undefined, one call moves all IPs of a pair. */
  batchLimit?: number;
  /** Raises `maxMoves` for this run (`--max-moves N`). */
  allowMoves?: number;
  /** IPs that this run has moved already: they count towards `maxMoves` once. */
  alreadyMoved?: ReadonlySet<string>;
  /** IPs that another user moved during this run: they are left where they are. */
  lost?: ReadonlySet<string>;
  /** Plans only the moves that touch one of these zones (`--zone`). */
  only?: ReadonlySet<string> | undefined;
  /** Returns the IPs that a zone held before, the last ones first; undefined if nothing is known of the zone. */
  former?: (zone: string) => ReadonlySet<string> | undefined;
  /** IPs whose country has changed or is not known: they stay, unless they are declared by address. */
  held?: ReadonlySet<string>;
}

export interface AllocationPlan {
  /** In the order in which they are to be sent, so that every floor holds after each. */
  batches: MigrateBatch[];
  /** Zone → unmanaged IPs that stay, in the order of their addresses. */
  unmanaged: ReadonlyMap<string, readonly string[]>;
  /** The number of moves that `Limits.only` leaves out. */
  leftOut?: number;
  /** Why the declaration can't be reached, or not without breaking a guard. If there is one, no call may be sent. */
  problems: Problem[];
}
