/**
 * Outputs of one resource as inputs of another: crawlers reach a proxy manager through the IPs of a zone, so the manager must allow these
 * IPs, also after an update has changed them.
 *
 * It runs unchanged on the emulator. In one terminal, at the top of the repository:
 *
 *   npm run build
 *   node dist/src/cli/bin.js emulator --account examples/outputs/account.yaml --port 23121 --manager-port 23122
 *
 * In another one, in this folder:
 *
 *   pulumi stack init dev && pulumi up
 *
 * The first preview cannot know the IPs before they are moved: it reports that the calls of ManagerSettings can be shown once
 * `whitelistIps` is known. Later previews know them, as long as the zones stay as declared.
 */
import { ManagerSettings, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation('exits', {
  zones: { crawlers: { count: { us: 4, de: 2 } } },
  spare: 'parked',
});

// All countries, because crawlers use every IP of the zone.
const exits = allocation.ipsOf('crawlers');

const manager = new ManagerSettings('upstream', {
  zone: 'crawlers',
  whitelistIps: exits,
});

// For other stacks, and for `pulumi stack output`.
export const crawlerIps = exits;
export const { placements, unmanagedIps, moved } = allocation;
export const letsIn = manager.settings.apply(({ whitelistIps }) => whitelistIps);
