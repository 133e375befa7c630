/** The quickstart stack, with the same declaration as webdata.yaml in this folder. `npm run emulator` starts the service that it uses. */
import { ManagerSettings, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation('static', {
  zones: {
    checkout: {
      ips: ['198.18.1.10', '198.18.1.11'], // both are in pricing today
      count: { us: 42 },
      keepAtLeast: 30,
    },
    pricing: { count: { us: 50, de: 24 } },
    'search-monitor': { count: { us: 20, jp: 18 } },
    'stock-check': { count: 45 },
    archive: { count: 20, keepAtLeast: 10 },
  },
  sources: ['legacy-pricing'], // IPs may be taken from it; it is never filled
  spare: 'parked', // IPs may be taken from it; it receives surplus IPs
  protect: ['198.18.0.1'],
  maxMoves: '20%',
});

const manager = new ManagerSettings('local', {
  zone: 'checkout',
  whitelistIps: ['10.0.0.0/8', '192.168.10.0/24'],
  wwwWhitelistIps: ['127.0.0.1', '10.0.0.5'],
  logs: 500,
  requestStats: true,
  absentPorts: [24010],
});

export const moved = allocation.moved.apply((moves) => moves.length);
export const checkoutIps = allocation.ipsOf('checkout');
export const settings = manager.settings;
