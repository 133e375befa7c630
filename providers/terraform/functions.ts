/** Functions of the provider, such as `provider::webdata::ips_of(placements, "checkout")`. */
import { sortedIps } from '../../src/kinds/ipOrder.ts';
import type { Type } from './attributes.ts';

interface ProviderFunction {
  description: string;
  parameters: readonly { name: string; description: string; type: Type }[];
  returns: Type;
  call(args: readonly unknown[]): unknown;
}

const ipsOf: ProviderFunction = {
  description: 'Returns the IPs of one zone, sorted by address.',
  parameters: [
    { name: 'placements', description: '`placements` of an allocation: the zone of each IP.', type: ['map', 'string'] },
    { name: 'zone', description: 'Name of the zone.', type: 'string' },
  ],
  returns: ['list', 'string'],
  call([placements, zone]) {
    const placed = Object.entries(placements as Readonly<Record<string, string>>);
    return sortedIps(placed.filter(([, home]) => home === zone).map(([ip]) => ip));
  },
};

export const functions: Readonly<Record<string, ProviderFunction>> = { ips_of: ipsOf };
