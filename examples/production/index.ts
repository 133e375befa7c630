/**
 * A stack as production wants it: several zones, counted by country, with every guard set, and the proxy manager.
 *
 * It runs as it stands on the emulator. In one terminal, at the top of the repository:
 *
 *   npm run build
 *   node dist/src/cli/bin.js emulator --account examples/production/account.yaml --port 23101 --manager-port 23102
 *
 * In another one, in this folder:
 *
 *   pulumi stack init production
 *   pulumi config set --secret webdata:apiKey wdk_production_ops
 *   pulumi up
 *
 * `pulumi destroy` refuses, because of `protect: true` below. To try it all the same: `pulumi state unprotect --all`, then destroy.
 */
import { ManagerSettings, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation(
  'static',
  {
    zones: {
      // A shop lets these two in by address: they stay, whatever the count takes or gives up.
      checkout: { ips: ['198.18.0.1', '198.18.0.2'], count: { us: 40 }, keepAtLeast: 40 },
      pricing: { count: { us: 30, de: 24, gb: 8 }, keepAtLeast: 50 },
      'stock-check': { count: { fr: 20, es: 8 }, keepAtLeast: 20 },
      archive: { count: 12 },
    },
    spare: 'parked',
    protect: ['198.18.0.1', '198.18.0.2'],
    // An update that wants to move more than this was written by mistake: it fails before it moves anything.
    maxMoves: 30,
    // Whoever deletes this resource wants Pulumi to forget it, not to empty the zones.
    onDelete: 'leave',
  },
  // Pulumi's own guard: no update and no `pulumi destroy` deletes this resource.
  { protect: true },
);

const manager = new ManagerSettings('gateway', {
  zone: 'checkout',
  whitelistIps: ['10.20.0.0/16'],
  wwwWhitelistIps: ['127.0.0.1', '10.20.0.5'],
  logs: 500,
  requestStats: true,
  absentPorts: [24010],
});

export const { placements, unmanagedIps } = allocation;
export const managerSettings = manager.settings;
