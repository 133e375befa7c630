/** The six plans that every format is tried on. */
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import type { ResourcePlan } from '../../src/engine/plan/plan.ts';
import type { ZoneInventory } from '../../src/kinds/seam/kind.ts';
import type { PlanReport } from '../../src/report/model/report.ts';
import {
  addresses,
  allocationId,
  migrate,
  planReport,
  portsCall,
  resource,
  samplePlan,
  settingsCall,
  settingsId,
} from './samples.ts';

const createdAt = '2026-07-01T10:00:00.000Z';
const places = { static: { line: 5, column: 3 }, local: { line: 14, column: 3 } };

function placed(plan: ResourcePlan, inventory?: ZoneInventory[]): ResourcePlan {
  const place = plan.collection === 'managerSettings' ? places.local : places.static;
  return { ...plan, inventory, place: { file: 'webdata.yaml', ...place } };
}

const smallInventory: ZoneInventory[] = [
  { zone: 'checkout', countries: [{ country: 'us', before: 31, after: 32 }] },
  {
    zone: 'pricing',
    countries: [
      { country: 'de', before: 4, after: 4 },
      { country: 'us', before: 12, after: 10 },
    ],
  },
  { zone: 'parked', countries: [{ country: 'us', before: 0, after: 1 }] },
];

const small = samplePlan.resources.map((each) => placed(each, each.name === 'static' ? smallInventory : undefined));

const drifted = small.map((each) => (each.name === 'static' ? { ...each, calls: each.calls.slice(0, 1) } : each));

const problems: Problem[] = [
  {
    code: 'count-not-met',
    found: 'pricing needs 4 more IPs in de; only 2 are available',
    allowed: 'IPs that parked and exceeded counts can give',
    fix: 'lower the count, or name a zone that has such IPs as `spare` or under `sources`',
    path: ['zoneIpAllocations', 'static', 'zones', 'pricing', 'count', 'de'],
    place: { file: 'webdata.yaml', line: 8, column: 31 },
  },
  {
    code: 'too-many-moves',
    found: '61 IPs would move, and <b>maxMoves</b> is 50',
    fix: 'raise maxMoves, or pass --max-moves 61',
    path: ['zoneIpAllocations', 'static', 'maxMoves'],
    place: { file: 'webdata.yaml', line: 12, column: 15 },
  },
  { code: 'unauthorized', found: 'GET http://127.0.0.1:22999/api/settings was refused with 401' },
];

/** Each of these many moves is of a pair of zones that it shares with 99 others. */
export function manyMoves(count: number): PlanReport {
  const calls = Array.from({ length: Math.ceil(count / 100) }, (_, pair) =>
    migrate(`old-${pair}`, `new-${pair}`, addresses(Math.min(100, count - pair * 100), pair * 100), 'count'),
  );
  const inventory = calls.flatMap(({ from, to, moves: { length } }): ZoneInventory[] => [
    { zone: from, countries: [{ country: 'us', before: length + 5, after: 5 }] },
    { zone: to, countries: [{ country: 'us', before: 1, after: length + 1 }] },
  ]);
  return planReport({ resources: [placed(resource(allocationId, calls), inventory)] }, { createdAt });
}

export const sixPlans: Record<'empty' | 'small' | 'large' | 'errors' | 'drift' | 'settings', PlanReport> = {
  empty: planReport({ resources: [] }, { createdAt }),
  small: planReport({ resources: small }, { createdAt }),
  large: manyMoves(5_000),
  errors: planReport(
    {
      resources: [
        placed(resource(allocationId, [], [], problems.slice(0, 2))),
        placed(resource(settingsId, [], [], problems.slice(2))),
      ],
    },
    { createdAt },
  ),
  drift: planReport({ resources: drifted }, { createdAt, mode: 'drift', strict: true }),
  settings: planReport({ resources: [placed(resource(settingsId, [settingsCall, portsCall]))] }, { createdAt }),
};

/** The file itself is wrong: there is no plan. */
export const noPlan: PlanReport = planReport(
  { resources: [] },
  {
    createdAt,
    origin: '',
    problems: [
      {
        code: 'unknown-key',
        found: 'zoneIpAllocation, a key that is not known',
        allowed: 'name, service, manager, zoneIpAllocations, managerSettings',
        fix: 'did you mean zoneIpAllocations?',
        path: ['zoneIpAllocation'],
        place: { file: 'webdata.yaml', line: 3, column: 1 },
      },
    ],
  },
);
