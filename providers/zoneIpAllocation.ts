/** `ZoneIpAllocation` as a Pulumi resource. */
import { type CustomResourceOptions, dynamic, type Input, type Output } from '@pulumi/pulumi';
import { providerOf } from './provider.ts';

/** Which static IPs each zone holds. Everything may be an output of another resource. */
export interface ZoneIpAllocationArgs {
  /** The zones that this allocation fills, by name. A zone stands in at most one allocation. */
  zones: Input<Record<string, Input<ZoneArgs>>>;
  /** Zones that may give IPs and are never filled. */
  sources?: Input<Input<string>[]>;
  /** The zone that gives, and takes what is left over. Allocations may share it. */
  spare?: Input<string>;
  /** What becomes of IPs in these zones that nothing asks for: they are reported (the default), or go to the spare. */
  unmanaged?: Input<'report' | 'release'>;
  /** These IPs move only into the zone that declares them. */
  protect?: Input<Input<string>[]>;
  /** The most IPs that one update moves: a number, or a share such as `"20%"` of the live IPs in zones, sources and spare. */
  maxMoves?: Input<number | string>;
  /** What deleting the resource does: nothing (`leave`, the default), or the IPs it asks for go to the spare (`release`). */
  onDelete?: Input<'leave' | 'release'>;
  /** Zones to leave alone, as `zones.NAME`. */
  ignoreChanges?: Input<Input<string>[]>;
}

/** What one zone holds: at least one of the three. */
export interface ZoneArgs {
  /** These IPs are in the zone, by address (IPv4). */
  ips?: Input<Input<string>[]>;
  /** Exactly so many IPs, the listed ones included; as a map, exactly so many of each country it names: `{ us: 10, de: 5 }`. */
  count?: Input<number | Record<string, Input<number>>>;
  /** No call leaves the zone with fewer IPs than this. */
  keepAtLeast?: Input<number>;
}

/** One IP that an update moved. */
export interface MovedIp {
  ip: string;
  from: string;
  to: string;
}

/**
 * Makes zones hold the static IPs that are declared, in the fewest moves. What is there already is adopted, so that the first
 * `pulumi up` of an account as it is moves nothing. Moving IPs may incur charges; `pulumi preview` names each move.
 *
 * @example
 * new ZoneIpAllocation('static', {
 *   zones: {
 *     checkout: { ips: ['192.0.2.10', '192.0.2.11'], keepAtLeast: 2 },
 *     pricing: { count: { us: 10, de: 5 } },
 *   },
 *   spare: 'parked',
 *   maxMoves: 20,
 * });
 */
export class ZoneIpAllocation extends dynamic.Resource {
  /** Where each IP of these zones is, unmanaged ones too: IP → zone. */
  declare readonly placements: Output<Record<string, string>>;
  /** IPs that nothing asks for, and their zones. They stay where they are, and are no drift. */
  declare readonly unmanagedIps: Output<Record<string, string>>;
  /** The moves that the last update made. */
  declare readonly moved: Output<MovedIp[]>;

  constructor(name: string, args: ZoneIpAllocationArgs, options?: CustomResourceOptions) {
    const outputs = { placements: undefined, unmanagedIps: undefined, moved: undefined };
    super(provider, name, { ...args, ...outputs }, options, 'webdata', 'ZoneIpAllocation');
  }

  /** The IPs of one zone, sorted: for the allow list of a firewall, say. */
  ipsOf(zone: string): Output<string[]> {
    return this.placements.apply((placements) =>
      Object.keys(placements)
        .filter((ip) => placements[ip] === zone)
        .sort(),
    );
  }
}

const provider = providerOf('ZoneIpAllocation');
