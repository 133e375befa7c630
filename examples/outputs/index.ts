/**
 * Passes outputs on: crawlers reach a proxy manager through the IPs of a zone, so these are the addresses that it lets in,
 * whichever they are after an update.
 *
 * It runs as it stands on the emulator. In one terminal, at the top of the repository:
 *
 *   npm run build
 *   node dist/src/cli/bin.js emulator --account examples/outputs/account.yaml --port 23121 --manager-port 23122
 *
 * In another one, in this folder:
 *
 *   pulumi stack init dev && pulumi up
 *
 * The preview cannot know the IPs before they are moved: it prints that the calls of ManagerSettings can be shown once
 * `whitelistIps` is known. From then on `pulumi preview` knows them, as long as the zones stay as declared.
 */
import { ManagerSettings, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation('exits', {
  zones: { crawlers: { count: { us: 4, de: 2 } } },
  spare: 'parked',
});

// Those of other countries too: crawlers go out through every IP that the zone holds.
const exits = allocation.ipsOf('crawlers');

const manager = new ManagerSettings('upstream', {
  zone: 'crawlers',
  whitelistIps: exits,
});

// For other stacks, and for `pulumi stack output`.
export const crawlerIps = exits;
export const { placements, unmanagedIps, moved } = allocation;
export const letsIn = manager.settings.apply(({ whitelistIps }) => whitelistIps);
