import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inputSchema, parseResource } from '../../providers/core/resource.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import { zoneIpAllocation } from '../../src/kinds/zoneIpAllocation/kind.ts';

it('is the same resource in whatever order the engine sends the keys of its maps', () => {
  const checkout = { ips: ['192.0.2.10'], count: { us: 3, de: 4 } };
  const pricing = { count: 2 };
  const sent = { zones: { checkout, pricing }, spare: 'parked' };
  const sentAgain = { spare: 'parked', zones: { pricing, checkout: { count: { de: 4, us: 3 }, ips: ['192.0.2.10'] } } };
  const [one, other] = [sent, sentAgain].map((inputs) => parseResource(zoneIpAllocation, inputs));
  expect(one?.key).toBe(other?.key);
  const moved = { ...sent, zones: { checkout: { ...checkout, ips: ['192.0.2.11'] }, pricing } };
  expect(parseResource(zoneIpAllocation, moved).key).not.toBe(one?.key);
});

it.each(kinds)('$name has a field in its class for Pulumi for each input', (kind) => {
  const source = readFileSync(`providers/${kind.name.charAt(0).toLowerCase()}${kind.name.slice(1)}.ts`, 'utf8');
  const interfaces = source.match(/^export interface (?:\w+Args|LiveManagerSettings) [\s\S]*?^}/gm)?.join('\n') ?? '';
  const fields = [...interfaces.matchAll(/^ {2}(\w+)\??: /gm)].map(([, field]) => field);
  expect(fields).toEqual(expect.arrayContaining(Object.keys(inputSchema(kind).shape)));
});
