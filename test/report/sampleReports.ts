/** Every report that the formats are tried on: the plans, and a run that failed half-way. */

import type { CausedChange } from '../../src/engine/baseline/causes.ts';
import { driftIn, type Plan } from '../../src/engine/plan/plan.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { Report, RunReport } from '../../src/report/model/report.ts';
import {
  addresses,
  allocationId,
  deliveryId,
  journaled,
  migrate,
  planReport,
  portsCall,
  refusal,
  registerCall,
  registrationPlan,
  resource,
  runReport,
  samplePlan,
  scheduleId,
  seen,
  settingsCall,
  settingsId,
  unregisterCall,
} from './samples.ts';
import { noPlan, sixPlans } from './sixPlans.ts';

const at = '2026-07-01T10:00:01.000Z';
const place = { file: 'webdata.yaml', line: 5, column: 3 };

const calls = [
  migrate('pricing', 'checkout', addresses(3)),
  migrate('pricing', 'checkout', addresses(2, 3)),
  migrate('pricing', 'archive', addresses(2, 5)),
  migrate('checkout', 'parked', addresses(1, 7), 'surplus'),
] as const;
const [first, second, third, fourth] = calls;

const made = [
  journaled(allocationId, first, { answered: { at, count: 3 }, seen: seen(first) }),
  journaled(allocationId, second, { answered: { at, count: 1 }, seen: seen(second, { notMoved: ['198.18.0.4'] }) }),
  journaled(allocationId, third, { failed: refusal }),
];

const problem = {
  code: 'did-not-move',
  found: 'moving 2 IPs from pricing to checkout: the service moved 1; 198.18.0.4 stayed in pricing',
  fix: 'run again; if the IPs stay again, ask the service why',
};

/** One move done, one partly, one refused, the rest not sent. */
const halfWay: RunReport = runReport(
  {
    plan: { resources: samplePlan.resources.map((resource) => ({ ...resource, place })) },
    resources: [
      { ...allocationId, outcome: 'failed', made, notMade: [fourth], problems: [problem] },
      { ...allocationId, name: 'quiet', outcome: 'nothing', made: [], notMade: [], problems: [] },
      { ...settingsId, outcome: 'skipped', made: [], notMade: [settingsCall, portsCall], problems: [] },
    ],
  },
  { createdAt: '2026-07-01T10:00:00.000Z' },
);

/** A schedule that was refused, and a delivery that is gone. */
const registrationRun: RunReport = runReport({
  plan: registrationPlan,
  resources: [
    {
      ...scheduleId,
      outcome: 'failed',
      made: [
        journaled(scheduleId, registerCall, {
          failed: { at, code: 'unknown-delivery', message: 'no delivery results is registered', effect: 'none' },
        }),
      ],
      notMade: [],
      problems: [{ code: 'unknown-delivery', found: 'no delivery results is registered', fix: 'register it first' }],
    },
    {
      ...deliveryId,
      outcome: 'done',
      made: [journaled(deliveryId, unregisterCall, { answered: { at }, seen: { at, took: true } })],
      notMade: [],
      problems: [],
    },
  ],
});

/** Only pending changes, which are no drift. */
const pendingPlan: Plan = {
  resources: [
    {
      ...resource(settingsId, [settingsCall]),
      place,
      causes: [
        { path: ['logs'], kind: 'change', before: 1000, after: 500, cause: 'pending' },
        { path: ['whitelistIps', '10.0.0.9'], kind: 'remove', before: true, cause: 'pending' },
        { path: ['whitelistIps', '10.0.0.0/8'], kind: 'add', after: true, cause: 'pending' },
      ],
    },
  ],
};

const muted = { reason: 'raised for an incident', owner: 'team-network', until: '2030-01-31' };

const causes: Readonly<Record<string, CausedChange[]>> = {
  static: [
    { path: ['zones', 'checkout', 'count', 'us'], kind: 'change', before: 31, after: 33, cause: 'both', baseline: 32 },
    {
      path: ['zones', 'checkout', 'ips', '192.0.2.10'],
      kind: 'change',
      before: 'pricing',
      after: 'checkout',
      cause: 'drift',
    },
  ],
  quiet: [],
  local: [
    { path: ['logs'], kind: 'change', before: 1000, after: 500, cause: 'drift', muted },
    { path: ['whitelistIps', '10.0.0.9'], kind: 'remove', before: true, cause: 'pending' },
    { path: ['whitelistIps', '10.0.0.0/8'], kind: 'add', after: true, cause: 'pending' },
    { path: ['absentPorts', 24010], kind: 'remove', before: 24010, cause: 'drift' },
    { path: ['absentPorts', 24011], kind: 'remove', before: 24011, cause: 'drift' },
  ],
};

const statedCalls: Readonly<Record<string, Call[]>> = {
  static: [migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11'])],
};

/** Differences of every cause, muted ones, and an exception that has expired. */
const causedPlan: Plan = {
  resources: samplePlan.resources.map((each) => ({
    ...each,
    place,
    causes: causes[each.name],
    stated: statedCalls[each.name],
  })),
};

const expired = {
  code: 'expired-exception',
  path: ['exceptions', 0, 'until'],
  place: { file: 'webdata.yaml', line: 20, column: 12 },
  found: 'the exception for managerSettings.local.zone (old zone; team-network) has expired: its drift counts again',
  allowed: 'a date from 2026-07-01 on',
  fix: 'end the drift and remove the exception, or agree on a later date',
};

/** All that the formats are shown on, by name. */
export const sampleReports: Record<string, Report> = {
  ...sixPlans,
  'no-plan': noPlan,
  'half-way': halfWay,
  registrations: planReport(registrationPlan),
  'registrations-drift': planReport(registrationPlan, { mode: 'drift' }),
  'registrations-run': registrationRun,
  'causes-plan': planReport(causedPlan, { baseline: true, warnings: [expired] }),
  'causes-drift': planReport(driftIn(causedPlan), { mode: 'drift', baseline: true, warnings: [expired] }),
  'pending-drift': planReport(pendingPlan, { mode: 'drift', baseline: true, warnings: [] }),
  'no-baseline': planReport(driftIn(causedPlan), { mode: 'drift', baseline: false }),
};
