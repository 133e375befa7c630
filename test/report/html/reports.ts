/** Reports that the page is shown on, besides the six plans. */
import type { RunReport } from '../../../src/report/model/report.ts';
import {
  addresses,
  allocationId,
  journaled,
  migrate,
  planReport,
  portsCall,
  refusal,
  resource,
  runReport,
  seen,
  settingsCall,
  settingsId,
} from '../samples.ts';
import { sixPlans } from '../sixPlans.ts';

const createdAt = '2026-07-01T10:00:00.000Z';

const partly = migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11', '192.0.2.12']);
const refused = migrate('checkout', 'parked', addresses(5), 'surplus');
const notSent = migrate('research', 'checkout', addresses(8, 100), 'count');

/** Of 16 IPs two moved; of the settings nothing was sent. */
export const failedRun: RunReport = runReport(
  {
    plan: sixPlans.small.plan,
    resources: [
      {
        ...allocationId,
        outcome: 'failed',
        made: [
          journaled(allocationId, partly, {
            answered: { at: createdAt, count: 2 },
            seen: seen(partly, { notMoved: ['192.0.2.12'] }),
          }),
          journaled(allocationId, refused, { failed: refusal, seen: seen(refused, { notMoved: addresses(5) }) }),
        ],
        notMade: [notSent],
        problems: [
          {
            code: 'forbidden',
            found: refusal.message,
            fix: 'give the key the permission to move IPs',
            path: ['zoneIpAllocations', 'static'],
            place: { file: '/home/someone/webdata.yaml', line: 5, column: 3 },
          },
        ],
      },
      { ...settingsId, outcome: 'skipped', made: [], notMade: [settingsCall, portsCall], problems: [] },
    ],
  },
  { createdAt },
);

/** Swaps, a cycle, and zones that are large and small. */
export const crossing = planReport(
  {
    resources: [
      resource(allocationId, [
        migrate('checkout', 'pricing', addresses(120), 'count'),
        migrate('pricing', 'checkout', addresses(80, 200)),
        migrate('research', 'archive-of-the-european-research-2024', addresses(60, 400)),
        migrate('archive-of-the-european-research-2024', 'research', addresses(41, 600)),
        migrate('checkout', 'parked', addresses(33, 800), 'surplus'),
        migrate('seo', 'checkout', addresses(18, 1000)),
        migrate('reviews', 'seo', addresses(1, 1200)),
      ]),
    ],
  },
  { createdAt },
);

/** Names that would be markup where they are not escaped. */
export const hostileName = '</script></style></title><img src=x onerror="window.hacked = 1">\'"&\u001b\u202e';

export const hostile = planReport(
  {
    resources: [
      {
        ...resource(
          { ...allocationId, name: hostileName },
          [migrate(hostileName, 'checkout', ['192.0.2.1', '192.0.2.2'])],
          [{ code: 'empty-zone', text: hostileName, ips: [hostileName] }],
          [{ code: 'unknown-zone', found: hostileName, allowed: hostileName, fix: hostileName, path: [hostileName] }],
        ),
        inventory: [{ zone: hostileName, countries: [{ country: hostileName, before: 2, after: 0 }] }],
      },
      resource(settingsId, [{ ...settingsCall, before: { zone: '' }, settings: { zone: hostileName } }]),
    ],
  },
  { createdAt, origin: hostileName },
);
