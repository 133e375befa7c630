/** Functions of the provider, such as `provider::webdata::ips_of(webdata_zone_ip_allocation.static, "checkout")`. */
import { ipsOfZone } from '../core/ipsOfZone.ts';
import type { Type } from './attributes.ts';

type WireAllocation = Parameters<typeof ipsOfZone>[0] & { missing_ips: Readonly<Record<string, string>> | null };

/** Terraform leaves out the other attributes of the resource. */
const allocation: Type = [
  'object',
  {
    zones: ['map', ['object', { ips: ['set', 'string'] }]],
    placements: ['map', 'string'],
    missing_ips: ['map', 'string'],
  },
];

const ipsOf = {
  description: 'Returns the IPs of one zone, sorted by address.',
  parameters: [
    { name: 'allocation', description: 'A `webdata_zone_ip_allocation`.', type: allocation },
    { name: 'zone', description: 'Name of the zone.', type: 'string' satisfies Type },
  ],
  returns: ['list', 'string'] satisfies Type,
  call([allocation, zone]: readonly unknown[]) {
    const { missing_ips: missingIps, ...properties } = allocation as WireAllocation;
    return ipsOfZone({ ...properties, missingIps }, zone as string);
  },
};

export const functions: Readonly<Record<string, typeof ipsOf>> = { ips_of: ipsOf };
