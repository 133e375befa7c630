/** Plans and runs that reports are shown on, and random ones. */
import fc from 'fast-check';
import type { Plan, ResourcePlan } from '../../src/engine/plan/plan.ts';
import type { ApplyResult, ResourceResult } from '../../src/engine/run/applyResult.ts';
import type { JournaledCall, Run } from '../../src/engine/run/journal.ts';
import { callTypeOf } from '../../src/kinds/knownCalls.ts';
import type { DeletePortsCall, UpdateSettingsCall } from '../../src/kinds/managerSettings/calls/managerCalls.ts';
import type { RegisterCall, UnregisterCall } from '../../src/kinds/registered/calls/registrationCall.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { PropertyChange } from '../../src/kinds/seam/changes.ts';
import type { Move, MoveReason } from '../../src/kinds/seam/move.ts';
import type { Note } from '../../src/kinds/seam/notes.ts';
import { isMigrateCall, type MigrateCall } from '../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import type { PlanReport, RunReport } from '../../src/report/model/report.ts';

export const manager = 'http://127.0.0.1:22999';
export const allocationId = { kind: 'ZoneIpAllocation', collection: 'zoneIpAllocations', name: 'static' };
export const deliveryId = { kind: 'WebhookDelivery', collection: 'webhookDeliveries', name: 'results' };
export const scheduleId = { kind: 'CollectorSchedule', collection: 'collectorSchedules', name: 'nightly' };
export const settingsId = { kind: 'ManagerSettings', collection: 'managerSettings', name: 'local' };

export function migrate(
  from: string,
  to: string,
  ips: readonly string[],
  reason: MoveReason = 'declared',
): MigrateCall {
  return { type: 'migrate', from, to, moves: ips.map((ip): Move => ({ ip, country: 'us', from, to, reason })) };
}

/** That many addresses of 198.18.0.0/16, from its `first` on. */
export function addresses(count: number, first = 0): string[] {
  return Array.from({ length: count }, (_, index) => `198.18.${(first + index) >> 8}.${(first + index) & 255}`);
}

export function resource<C extends Call>(
  id: typeof allocationId,
  calls: C[],
  notes: Note[] = [],
  problems: ResourcePlan['problems'] = [],
): ResourcePlan {
  return { ...id, calls, changes: calls.flatMap(changesOf), notes, problems };
}

/** As the kinds tell them. */
function changesOf(call: Call): PropertyChange[] {
  return callTypeOf(call).changes?.(call) ?? [];
}

export const settingsCall: UpdateSettingsCall = {
  type: 'updateSettings',
  manager,
  before: { logs: 1000, whitelistIps: ['10.0.0.9'] },
  settings: { logs: 500, whitelistIps: ['10.0.0.0/8'] },
};

export const portsCall: DeletePortsCall = { type: 'deletePorts', manager, ports: [24010, 24011], observed: true };

const registration = { triggers: 'http://127.0.0.1:22997', owner: 'acme' };

export const registerCall: RegisterCall = {
  type: 'register',
  ...registration,
  record: 'schedule',
  name: 'nightly',
  digest: 'mOwDygMD2of48Mp_',
  before: 'EmQynCG1-2mENhy1',
  delivery: 'results',
};

export const unregisterCall: UnregisterCall = {
  type: 'unregister',
  ...registration,
  record: 'delivery',
  name: 'results',
};

/** A schedule that changes, one that did not run as it should, and a delivery that is removed. */
export const registrationPlan: Plan = {
  resources: [
    {
      ...resource(scheduleId, [registerCall], [{ code: 'fires', text: 'about 24 triggers a day, each is billed' }]),
      changes: [
        { path: ['cron'], kind: 'change', before: '0 3 * * *', after: '0 * * * *' },
        { path: ['delivery', 'authorization'], kind: 'change', before: '(secret)', after: '(another secret)' },
        { path: ['inputs', 'row 2'], kind: 'add', after: '{"url":"https://shop.example.com/b"}' },
        { path: ['alerts'], kind: 'remove', before: { endpoint: 'https://hooks.example.com/', on: { 1: 'failed' } } },
      ],
    },
    resource(
      { ...scheduleId, name: 'hourly' },
      [],
      [
        { code: 'overdue', text: 'did not fire at 2026-07-01T10:00:00Z: see whether the trigger service runs' },
        { code: 'run-failed', text: 'the run of 2026-07-01T09:00:00Z failed: the collector is not known' },
      ],
    ),
    resource(deliveryId, [unregisterCall]),
  ],
};

const reportMeta = { origin: 'https://api.example.com', version: '0.1.0' };

export function planReport(plan: Plan, more: Partial<PlanReport> = {}): PlanReport {
  return { about: 'plan', mode: 'plan', plan, problems: [], ...reportMeta, ...more };
}

export function runReport(result: ApplyResult, more: Partial<RunReport> = {}): RunReport {
  return { about: 'run', command: 'apply', result, ...reportMeta, ...more };
}

/** The plan of the design, and ports. */
export const samplePlan: Plan = {
  resources: [
    resource(
      allocationId,
      [
        migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11']),
        migrate('checkout', 'parked', ['192.0.2.40'], 'surplus'),
      ],
      [
        {
          code: 'unmanaged',
          text: 'pricing: 1 unmanaged IP is left there',
          ips: ['198.51.100.9'],
        },
        {
          code: 'geolocation-disagrees',
          text: '198.51.100.7 in pricing: geolocation databases disagree (us, us, ca, us)',
          ips: ['198.51.100.7'],
        },
      ],
    ),
    resource({ ...allocationId, name: 'quiet' }, []),
    resource(settingsId, [settingsCall, portsCall]),
  ],
};

const at = '2026-07-01T10:00:00.000Z';

export function journaled(id: typeof allocationId, call: Call, answer: Partial<JournaledCall> = {}): JournaledCall {
  return { seq: 0, resource: id, call, sentAt: at, ...answer };
}

/** The read-back of a migrate: the rest has moved. */
export function seen(
  call: MigrateCall,
  other: Partial<Record<'notMoved' | 'elsewhere' | 'notVisible', string[]>> = {},
) {
  const { notMoved = [], elsewhere = [], notVisible = [] } = other;
  const gone = new Set([...notMoved, ...elsewhere, ...notVisible]);
  const moved = call.moves.map(({ ip }) => ip).filter((ip) => !gone.has(ip));
  return { at, moved, notMoved, elsewhere, notVisible };
}

export const refusal = {
  at,
  code: 'forbidden',
  message: 'POST https://api.example.com/zone/ips/migrate was refused with 403: no permission',
  effect: 'none' as const,
};

export const timeout = {
  at,
  code: 'timed-out',
  message: 'POST https://api.example.com/zone/ips/migrate was not answered within 30 s',
  effect: 'unknown' as const,
};

export function run(id: string, calls: JournaledCall[], more: Partial<Run> = {}): Run {
  const header = { command: 'apply' as const, origin: 'https://api.example.com', version: '0.1.0' };
  return { id, ...header, startedAt: at, calls, ...more };
}

/** Everything that may come from outside, at its worst. */
const outside = fc.oneof(
  fc.constantFrom('checkout', 'pricing', 'parked', 'a zone', ''),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\u001b[31mred', 'two\nlines', '\u202eturned', '\u009b2J', '\u{e0001}tag', '\u2028', '\ud800'),
);

const moveReason = fc.constantFrom<MoveReason>('declared', 'count', 'surplus', 'released');

const anyMigrate: fc.Arbitrary<MigrateCall> = fc
  .tuple(outside, outside, fc.array(fc.tuple(fc.ipV4(), outside, moveReason), { minLength: 1, maxLength: 12 }))
  .map(([from, to, moves]) => ({
    type: 'migrate',
    from,
    to,
    moves: moves.map(([ip, country, reason]) => ({ ip, country, from, to, reason })),
  }));

const settings = fc.record(
  {
    zone: outside,
    logs: fc.nat(),
    requestStats: fc.boolean(),
    whitelistIps: fc.uniqueArray(fc.ipV4()),
    wwwWhitelistIps: fc.uniqueArray(fc.ipV4()),
  },
  { requiredKeys: [] },
);

const managerCalls: fc.Arbitrary<Call[]> = fc
  .tuple(settings, settings, fc.uniqueArray(fc.integer({ min: 1, max: 65_535 })), fc.boolean())
  .map(([before, wanted, ports, observed]) => [
    { type: 'updateSettings', manager, before, settings: wanted },
    { type: 'deletePorts', manager, ports, observed },
  ]);

const anyRegistration: fc.Arbitrary<Call> = fc
  .tuple(fc.boolean(), fc.constantFrom('delivery' as const, 'schedule' as const), outside, outside, outside)
  .map(([isRegister, record, name, owner, triggers]) => {
    const its = { triggers, record, owner, name };
    return isRegister ? { type: 'register', ...its, digest: '', before: null } : { type: 'unregister', ...its };
  });

const anyChange: fc.Arbitrary<PropertyChange> = fc.record({
  path: fc.array(outside, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('add', 'remove', 'change'),
  before: fc.oneof(outside, fc.dictionary(outside, outside, { maxKeys: 2 })),
  after: fc.oneof(outside, fc.nat()),
});

const note: fc.Arbitrary<Note> = fc.record({
  code: fc.constantFrom('unmanaged', 'geolocation-disagrees', 'empty-zone'),
  text: outside,
  ips: fc.array(fc.ipV4()),
});

const problem = fc.record(
  {
    code: fc.constant('count-not-met'),
    found: outside,
    allowed: outside,
    fix: outside,
    path: fc.array(fc.oneof(outside, fc.nat())),
    place: fc.record({ file: outside, line: fc.nat(), column: fc.nat() }),
  },
  { requiredKeys: ['code', 'found'] },
);

const few = { maxLength: 3 };

const anyRegistered = fc
  .tuple(outside, fc.array(anyRegistration, { minLength: 1, maxLength: 2 }), fc.array(anyChange, few))
  .map(([name, calls, changes]) => ({ ...resource({ ...scheduleId, name }, calls), changes }));

const anyResource = fc
  .tuple(outside, fc.oneof(fc.array(anyMigrate, few), managerCalls), fc.array(note), fc.array(problem, few))
  .map(([name, calls, notes, problems]) => resource({ ...allocationId, name }, calls, notes, problems));

export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  resources: fc.array(fc.oneof({ weight: 3, arbitrary: anyResource }, { weight: 1, arbitrary: anyRegistered }), few),
});

const failure = fc.record({
  at: fc.constant(at),
  code: fc.constant('refused'),
  message: outside,
  effect: fc.constantFrom('none' as const, 'unknown' as const),
});

const anyJournaled: fc.Arbitrary<JournaledCall> = fc
  .tuple(
    fc.oneof(
      anyMigrate,
      managerCalls.map(([call]) => call as Call),
      anyRegistration,
    ),
    fc.record(
      { answered: fc.record({ at: fc.constant(at), count: fc.nat(12) }), failed: failure },
      { requiredKeys: [] },
    ),
    fc.array(fc.constantFrom('moved', 'notMoved', 'elsewhere', 'notVisible'), { minLength: 12, maxLength: 12 }),
    fc.boolean(),
  )
  .map(([call, answer, fates, isRead]) => {
    const moved = isMigrateCall(call) ? call.moves : [];
    const its = (fate: string) => moved.map(({ ip }) => ip).filter((_, index) => fates[index] === fate);
    const sight = {
      at,
      moved: its('moved'),
      notMoved: its('notMoved'),
      elsewhere: its('elsewhere'),
      notVisible: its('notVisible'),
    };
    const took = { at, took: fates[0] === 'moved' };
    return journaled(allocationId, call, {
      ...answer,
      ...(isRead ? { seen: call.type === 'migrate' ? sight : took } : {}),
    });
  });

const anyResult: fc.Arbitrary<ResourceResult> = fc.record({
  kind: fc.constant('ZoneIpAllocation'),
  collection: fc.constant('zoneIpAllocations'),
  name: outside,
  outcome: fc.constantFrom('done', 'nothing', 'failed', 'skipped'),
  made: fc.array(anyJournaled, few),
  notMade: fc.array(anyMigrate, few),
  problems: fc.array(problem, few),
});

export const anyApplyResult: fc.Arbitrary<ApplyResult> = fc.record({
  plan: anyPlan,
  resources: fc.array(anyResult, few),
});

export const anyRuns: fc.Arbitrary<Run[]> = fc.array(
  fc
    .tuple(fc.uuid(), fc.array(anyJournaled, few), fc.boolean())
    .map(([id, calls, isEnded]) => run(id, calls, isEnded ? { ended: { at, result: 'done' } } : {})),
  few,
);
