/** Hand edits of the plan in planFile.test.ts, one for each guard and for each thing that a plan file says of itself. */
import type { PlanFile } from '../../../src/engine/plan/planFile.ts';

const move = (ip: string, from: string, to: string) => ({ ip, country: 'us', from, to, reason: 'declared' as const });
const migrate = (ip: string, from: string, to: string) => ({
  type: 'migrate' as const,
  from,
  to,
  moves: [move(ip, from, to)],
});

/** What somebody may write into plan.json by hand, and how it is refused. */
interface Edit {
  name: string;
  change(file: PlanFile): void;
  /** What stderr contains. */
  says: readonly string[];
}

export const planFileEdits: readonly Edit[] = [
  {
    name: 'to move a protected IP',
    change: ({ resources: [first] }) => first?.calls.push(migrate('192.0.2.12', 'checkout', 'parked')),
    says: [
      'webdata.yaml:11:14: 192.0.2.12 is protected, and would move from checkout to parked',
      'webdata.yaml:12:15: 3 IPs would move in this run',
    ],
  },
  {
    name: 'to leave a zone below its floor',
    change: ({ resources: [first] }) => first?.calls.unshift(migrate('192.0.2.40', 'checkout', 'parked')),
    says: ['webdata.yaml:8:51: checkout would be left with 7 IPs', 'webdata.yaml:12:15: 3 IPs would move in this run'],
  },
  {
    name: 'to move IPs into a zone of nobody',
    change: ({ resources: [first] }) => first?.calls.splice(0, 1, migrate('192.0.2.10', 'pricing', 'shoppers')),
    says: ['webdata.yaml:7:5: a move from pricing into shoppers, which this allocation does not fill'],
  },
  {
    name: 'to lock this machine out of the manager',
    change: ({ resources: [, second] }) => {
      const [call] = second?.calls ?? [];
      Object.assign(call ?? {}, { settings: { wwwWhitelistIps: ['10.0.0.5'] } });
    },
    says: ['webdata.yaml:14:40: the list would lose 127.0.0.1, the address that you call the manager from'],
  },
  {
    name: 'to move another IP, within all guards',
    change: ({ resources: [first] }) => first?.calls.splice(1, 1, migrate('203.0.113.41', 'parked', 'pricing')),
    says: [
      'zoneIpAllocations.static: the plan is out of date: nothing that it depends on has changed',
      'no longer needed: parked to pricing: 203.0.113.41; needed now: parked to pricing: 203.0.113.40',
    ],
  },
  {
    name: 'to leave a call out',
    change: ({ resources: [first] }) => first?.calls.splice(0, 1),
    says: [
      'zoneIpAllocations.static: the plan is out of date: nothing that it depends on has changed',
      'needed now: pricing to checkout: 192.0.2.10',
    ],
  },
  {
    name: 'to be about a resource that is not declared',
    change: ({ resources: [first] }) => Object.assign(first ?? {}, { name: 'other' }),
    says: ['--select zoneIpAllocations/other matches no declared resource'],
  },
  {
    name: 'to be from another declaration',
    change: ({ declaration: { zoneIpAllocations } }) =>
      Object.assign(zoneIpAllocations?.static ?? {}, { protect: [], maxMoves: 9 }),
    says: [
      'zoneIpAllocations.static.protect: the declaration has changed since this plan was made',
      'zoneIpAllocations.static.maxMoves: the declaration has changed since this plan was made (was 9, is 2)',
    ],
  },
  {
    name: 'to be for another owner',
    change: (file) => Object.assign(file, { owner: 'acme' }),
    says: ['name: the plan was made for the owner acme'],
  },
  {
    name: 'to be for another service',
    change: (file) => Object.assign(file, { origin: 'https://api.example.com' }),
    says: ['the plan was made for https://api.example.com'],
  },
  {
    name: 'to be from another version',
    change: (file) => Object.assign(file, { version: '9.9.9' }),
    says: ['the plan was made by webdata 9.9.9'],
  },
  {
    name: 'to be of another format',
    change: (file) => Object.assign(file, { format: 'webdata.planfile/2' }),
    says: ['plan.json is not a plan file: at format: Invalid input: expected "webdata.planfile/1"'],
  },
  {
    name: 'to hold a call that there is not',
    change: ({ resources: [first] }) => first?.calls.push(JSON.parse('{"type":"deleteZone","zone":"checkout"}')),
    says: [
      "plan.json is not a plan file: at resources[0].calls[2].type: Invalid discriminator value. Expected 'migrate' | 'updateSettings' | 'deletePorts' | 'register' | 'unregister'",
    ],
  },
  {
    name: 'to hold a key that there is not',
    change: (file) => Object.assign(file, { force: true }),
    says: ['plan.json is not a plan file: at its top: Unrecognized key: "force"'],
  },
];
