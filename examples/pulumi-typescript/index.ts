/**
 * Moves two IPs into a zone. In one terminal, at the top of the repository: `npm run emulator`. In another one, in this folder:
 *
 *   npm install
 *   pulumi stack init dev
 *   pulumi up
 */
import { ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const allocation = new ZoneIpAllocation('static', {
  zones: { checkout: { ips: ['198.18.1.10', '198.18.1.11'], keepAtLeast: 30 } },
  sources: ['pricing'],
});

export const moved = allocation.moved;
