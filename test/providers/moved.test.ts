/** The output `moved` of an update. */
import { expect, it } from 'vitest';
import { storedAllocation } from '../../providers/core/stored/zoneIpAllocation.ts';
import { beginRun } from '../../src/engine/run/journal.ts';
import { allocationSpec } from '../../src/kinds/zoneIpAllocation/spec.ts';
import { migrate } from '../report/samples.ts';

const call = migrate('pricing', 'checkout', ['192.0.2.10']);
const spec = allocationSpec.parse({ zones: { checkout: { ips: ['192.0.2.10'] } } });

it.each([
  ['counted', 1, [{ ip: '192.0.2.10', from: 'pricing', to: 'checkout' }]],
  ['did not count, because another tool had moved them', 0, []],
])('lists the IPs that the service %s', async (_, count, moved) => {
  const { sending, run } = await beginRun(undefined, { command: 'apply', origin: '', version: '' });
  const record = await sending({ kind: '', collection: '', name: '' }, call);
  await record.answered({ count });
  await record.seen({ moved: ['192.0.2.10'], notMoved: [], elsewhere: [], notVisible: [] });
  expect(storedAllocation.outputs({ spec, state: undefined, sent: run.calls, olds: {} }).moved).toEqual(moved);
});
