/** Big accounts: what a plan costs the service. */
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

const zonesEach = 10;

/** 200 zones of 40 IPs and a spare. */
const names = Array.from({ length: 200 }, (_, n) => `zone${n}`);
const zones = Object.fromEntries(names.map((name, n) => [name, { ips: { us: [`10.0.${n}.1-10.0.${n}.40`] } }]));

/** 20 allocations that share the spare: one gives 100 IPs to it, the next takes them. */
function allocations(): object {
  const specs = Array.from({ length: names.length / zonesEach }, (_, n) => {
    const its = names.slice(n * zonesEach, (n + 1) * zonesEach);
    const count = n % 2 === 0 ? 30 : 50;
    return [`group${n}`, { zones: Object.fromEntries(its.map((name) => [name, { count }])), spare: 'parked' }];
  });
  return Object.fromEntries(specs);
}

it('lists every zone once for a plan, however many allocations look at it', async () => {
  await using harness = await openHarness({ id: 'hl_big', zones: { ...zones, parked: {} } });
  await harness.write('webdata.yaml', JSON.stringify({ zoneIpAllocations: allocations() }));
  const { code, stdout, stderr } = await harness.webdata('plan', '--format', 'json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout).summary).toMatchObject({ ips: 1000, migrateCalls: 200, problems: 0 });
  const listed = harness.emulator.requests().map(({ route, query }) => `${route} ${query.zone}`);
  expect(listed.toSorted()).toEqual([...names, 'parked'].map((name) => `zone/ips ${name}`).toSorted());
});
