/**
 * The allow list of a firewall: an API lets crawlers in by address. `ipsOf` lists the IPs of their zone, so the update that moves an IP
 * changes the list too, and no one copies addresses by hand.
 *
 * It runs unchanged on the emulator. In one terminal, at the top of the repository:
 *
 *   npm run build
 *   node dist/src/cli/bin.js emulator --account examples/firewall/account.yaml --port 23141 --manager-port 23142
 *
 * In another one, in this folder:
 *
 *   pulumi stack init dev && pulumi up
 */
import { ZoneIpAllocation } from 'pulumi-webdata/pulumi';
import { NftSet } from './nftSet.ts';

const allocation = new ZoneIpAllocation('exits', {
  zones: { crawlers: { count: { us: 4, de: 2 } } },
  spare: 'parked',
});

/** All IPs of the zone, also unmanaged ones, because crawlers go out through any of them. A cloud takes the same list, such as `cidrBlocks`. */
export const allowed = allocation.ipsOf('crawlers').apply((ips) => ips.map((ip) => `${ip}/32`));

/** By zone and IP. */
export const { countries } = allocation;

new NftSet('crawlers', { file: 'crawlers.nft', networks: allowed });
