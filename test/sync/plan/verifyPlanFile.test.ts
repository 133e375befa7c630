import { expect, it } from 'vitest';
import type { Call } from '../../../src/kinds/call.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { bareConfig } from '../../../src/sync/config/config.ts';
import { fingerprintsOf } from '../../../src/sync/plan/fingerprints.ts';
import type { PlanFile } from '../../../src/sync/plan/planFile.ts';
import type { Planned } from '../../../src/sync/plan/planned.ts';
import { comparePlanFile } from '../../../src/sync/plan/verifyPlanFile.ts';
import { portsCall, settingsCall } from '../../report/samples.ts';

type Resource = PlanFile['resources'][number];

const allocation: Resource = {
  collection: 'zoneIpAllocations',
  name: 'main',
  calls: [],
  fingerprints: { 'settings of M': 'other', 'ports of M': 'other' },
};
const settings: Resource = {
  collection: 'managerSettings',
  name: 'main',
  calls: [settingsCall],
  fingerprints: fingerprintsOf(planned([], { 'settings of M': 'then', 'ports of M': 'same' })),
};
const elsewhere: Resource = {
  ...settings,
  name: 'other',
  fingerprints: fingerprintsOf(planned([], { 'settings of M': 'now', 'ports of M': 'same' })),
};

function file(...resources: Resource[]): PlanFile {
  const meta = { id: 'p', createdAt: '', version: '1', origin: '' };
  return { format: 'webdata.planfile/1', ...meta, intent: 'update', declaration: {}, resources };
}

/** A plan that depends on these values. */
function planned(calls: Call[], dependencies: Record<string, string>, kind = managerSettings): Planned {
  const id = { kind: kind.name, collection: kind.collection, name: 'main' };
  const definition = { ...kind, guard: () => [], fingerprintInput: () => dependencies };
  return {
    declared: { ...id, definition, spec: {} },
    intent: 'update',
    plan: { ...id, calls, changes: [], notes: [], problems: [] },
    state: {},
    concurrencyKey: '',
  };
}

const now = { 'settings of M': 'now', 'ports of M': 'same' };
const config = bareConfig({ env: {} });

it('names what has changed by the fingerprints of the resource of that collection and that name', () => {
  const stale = () => comparePlanFile(file(allocation, elsewhere, settings), [planned([portsCall], now)], config);
  expect(stale).toThrow('the plan is out of date: settings of M changed since it was made');
});

it('takes the calls of the resource of that collection and that name', () => {
  const all = file(allocation, { ...elsewhere, calls: [portsCall] }, settings);
  const also = planned([portsCall], now);
  const other: Planned = { ...also, plan: { ...also.plan, name: 'other' } };
  expect(() => comparePlanFile(all, [planned([settingsCall], now), other], config)).not.toThrow();
});

it('says that the file was edited where no fingerprint has changed', () => {
  const edited = () =>
    comparePlanFile(
      file({ ...settings, fingerprints: fingerprintsOf(planned([], now)) }),
      [planned([portsCall], now)],
      config,
    );
  expect(edited).toThrow('the file was edited or made with other options');
});

it('refuses calls of a resource that is not planned any more, also beside one of the same name', () => {
  const gone = () => comparePlanFile(file(settings), [planned([], {}, zoneIpAllocation as never)], config);
  expect(gone).toThrow('the resource to remove no longer exists');
});
