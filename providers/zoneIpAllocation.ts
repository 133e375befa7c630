/** `ZoneIpAllocation` as a Pulumi resource. */
import { all, type CustomResourceOptions, dynamic, type Input, type Output, type Unwrap } from '@pulumi/pulumi';
import { ipsOfZone } from './core/ipsOfZone.ts';
import { ignoring } from './ignoreChanges.ts';
import { providerOf } from './provider.ts';

/** The static IPs that each zone holds. Every value may be an output of another resource. */
export interface ZoneIpAllocationArgs {
  /** The zones that this allocation fills, by name. At most one allocation may fill a zone. */
  zones: Input<Record<string, Input<ZoneArgs>>>;
  /** Zones that may release IPs and are never filled. */
  sources?: Input<Input<string>[]>;
  /** The zone that releases IPs, and receives surplus ones. Allocations may share it. */
  spare?: Input<string>;
  /** Action on unmanaged IPs in these zones: `report` them (the default), or `release` them to the spare. */
  unmanaged?: Input<'report' | 'release'>;
  /** IPs that move only into the zone that declares them. */
  protect?: Input<Input<string>[]>;
  /** The maximum number of IPs that one update moves, or a share such as `"20%"` of the live IPs in zones, sources and spare. */
  maxMoves?: Input<number | string>;
  /** Action when the resource is deleted: `leave` its IPs in place (the default), or `release` them to the spare. */
  onDelete?: Input<'leave' | 'release'>;
  /** Zones that updates leave alone, as `zones.NAME`. */
  ignoreChanges?: Input<Input<string>[]>;
}

/** The IPs of one zone: at least one of the three fields. */
export interface ZoneArgs {
  /** IPs that must be in the zone, by address (IPv4). */
  ips?: Input<Input<string>[]>;
  /** The exact number of IPs, including the listed ones; or a map with the number for each country: `{ us: 10, de: 5 }`. */
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
 * Fills zones with the declared static IPs, in the fewest moves. IPs that are in place are adopted, so that the first
 * `pulumi up` of an account as it is moves nothing. Moving IPs may incur charges; `pulumi preview` shows each move.
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
  /** The zones as they are declared. */
  declare readonly zones: Output<Record<string, Unwrap<ZoneArgs>>>;
  /** The zone of each IP in these zones that `ips` does not list there, which fills a count or is unmanaged: IP → zone. */
  declare readonly placements: Output<Record<string, string>>;
  /** IPs that `ips` lists and that are not there, and the zones that list them: drift. */
  declare readonly missingIps: Output<Record<string, string> | undefined>;
  /** IPs that are not declared, and their zones. They stay in place, and are not drift. */
  declare readonly unmanagedIps: Output<Record<string, string>>;
  /** The country as which each IP counted in the last update, in zones that are counted by country: zone → IP → country. */
  declare readonly countries: Output<Record<string, Record<string, string>>>;
  /** The moves of the last update. */
  declare readonly moved: Output<MovedIp[]>;

  constructor(name: string, args: ZoneIpAllocationArgs, options?: CustomResourceOptions) {
    const names = ['placements', 'missingIps', 'unmanagedIps', 'countries', 'moved'];
    const outputs = Object.fromEntries(names.map((each) => [each, undefined]));
    const ignored = ignoring(args, options);
    super(provider, name, { ...args, ...ignored.inputs, ...outputs }, ignored.options, 'webdata', 'ZoneIpAllocation');
  }

  /** Returns the IPs of one zone, sorted by address, for example for the allow list of a firewall. */
  ipsOf(zone: string): Output<string[]> {
    return all([this.zones, this.placements, this.missingIps]).apply(([zones, placements, missingIps]) =>
      ipsOfZone({ zones, placements, missingIps }, zone),
    );
  }
}

const provider = providerOf('ZoneIpAllocation');
