/** The quickstart stack: the same declaration as webdata.yaml beside it. `npm run emulator` starts the service that it runs against. */
import { ManagerSettings, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation('static', {
  zones: {
    checkout: {
      ips: ['198.18.1.10', '198.18.1.11'], // two that pricing holds today
      count: { us: 42 },
      keepAtLeast: 30,
    },
    pricing: { count: { us: 50, de: 24 } },
    'search-monitor': { count: { us: 20, jp: 18 } },
    'stock-check': { count: 45 },
    archive: { count: 20, keepAtLeast: 10 },
  },
  sources: ['legacy-pricing'], // may give, is never filled
  spare: 'parked', // gives, and takes what is left over
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
