/** What an update says that it has moved. */
import { expect, it } from 'vitest';
import { keepRecord } from '../../providers/runtime/record.ts';
import { zoneIpAllocationAdapter } from '../../providers/runtime/zoneIpAllocation.ts';
import { allocationSpec } from '../../src/kinds/zoneIpAllocation/spec.ts';
import { migrate } from '../report/samples.ts';

const call = migrate('pricing', 'checkout', ['192.0.2.10']);
const spec = allocationSpec.parse({ zones: { checkout: { ips: ['192.0.2.10'] } } });

it.each([
  ['counted', 1, [{ ip: '192.0.2.10', from: 'pricing', to: 'checkout' }]],
  ['did not count, as somebody else had moved them', 0, []],
])('holds the IPs that the service %s', async (_, count, moved) => {
  const { recorder, made } = keepRecord();
  const record = await recorder.sending(call);
  await record.answered({ count });
  await record.seen({ moved: ['192.0.2.10'], notMoved: [], elsewhere: [], notVisible: [] });
  expect(zoneIpAllocationAdapter.outputs(spec, undefined, made, {}).moved).toEqual(moved);
});
