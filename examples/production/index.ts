/**
 * A stack for production: several zones with counts by country, every guard, and the proxy manager.
 *
 * It runs unchanged on the emulator. In one terminal, at the top of the repository:
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
 * `pulumi destroy` fails because of `protect: true` below. To try it, run `pulumi state unprotect --all` first.
 */
import { ManagerSettings, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation(
  'static',
  {
    zones: {
      // A shop allows these two addresses, so they must stay even if the count changes.
      checkout: { ips: ['198.18.0.1', '198.18.0.2'], count: { us: 40 }, keepAtLeast: 40 },
      pricing: { count: { us: 30, de: 24, gb: 8 }, keepAtLeast: 50 },
      'stock-check': { count: { fr: 20, es: 8 }, keepAtLeast: 20 },
      archive: { count: 12 },
    },
    spare: 'parked',
    protect: ['198.18.0.1', '198.18.0.2'],
    // An update that would move more than this is probably a mistake: it fails before it moves anything.
    maxMoves: 30,
    // Deleting this resource removes it from the state of Pulumi, but does not empty the zones.
    onDelete: 'leave',
  },
  // Pulumi's own guard: neither an update nor `pulumi destroy` deletes this resource.
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
