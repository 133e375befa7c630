/** `CollectorSchedule`: a collector or data set that is triggered on a schedule. Live state: the registry of the trigger service, and its scheduled runs. */

import { didYouMean } from '../../base/diagnostics/nearest.ts';
import { assertNoProblems, type Problem } from '../../base/diagnostics/problem.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import type { RegisteredSchedule } from '../../triggers/api/records.ts';
import type { DeliverySpec } from '../../triggers/declared/deliverySpec.ts';
import {
  type DeclaredScheduleSpec,
  declaredScheduleSpec,
  deliveryMisfits,
  type ScheduleSpec,
} from '../../triggers/declared/scheduleSpec.ts';
import { ownedKind } from '../registered/owned.ts';
import {
  findRecord,
  type RegistryRecord,
  registerRecord,
  registrationDiff,
  removalDiff,
  removeRecord,
} from '../registered/registryRecord.ts';
import { deliveryNamedBy, registeredView } from '../registered/view.ts';
import type { Context, Defaults } from '../seam/context.ts';
import type { Diff, Kind } from '../seam/kind.ts';
import { withInputs } from './inputs.ts';
import { firingNote, healthNotes } from './scheduleHealth.ts';

type Spec = DeclaredScheduleSpec;

interface CollectorScheduleState extends RegistryRecord<ScheduleSpec> {
  schedule: RegisteredSchedule | undefined;
  /** The names of the deliveries that will exist after the planned calls. */
  deliveries: readonly string[];
  /** The trigger service's time. */
  now: number;
}

type State = CollectorScheduleState;

export const collectorSchedule = {
  name: 'CollectorSchedule',
  collection: 'collectorSchedules',
  get spec() {
    return declaredScheduleSpec();
  },
  ...ownedKind,
  conflicts: deliveryConflicts,
  observe,
  diff,
  converge: convergeSchedule,
  removal: {
    diff: (_spec, state) => removalDiff(state),
    send: (_spec, context) => removeRecord('schedule', context),
  },
} satisfies Kind<Spec, State>;

async function observe(spec: Spec, context: Context<Spec>): Promise<State> {
  const found = await findRecord('schedule', context);
  const { schedules, now } = await context.view(registeredView).of(found.owner);
  const deliveries = await context.view(registeredView).deliveriesOf(found.owner);
  return {
    ...found,
    declared: await withInputs(spec, context.readFile),
    schedule: schedules.get(found.name),
    deliveries: [...deliveries.keys()],
    now,
  };
}

function diff(spec: Spec, state: State): Diff {
  const { schedule, now } = state;
  const registration = registrationDiff(state);
  const changed =
    registration.calls.length > 0 && 'spec' in state.declared ? [firingNote(state.declared.spec, now)] : [];
  return {
    ...registration,
    notes: [...changed, ...(schedule === undefined ? [] : healthNotes(schedule, now))],
    problems: [...registration.problems, ...unknownDelivery(spec, state)],
  };
}

function unknownDelivery(spec: Spec, { deliveries }: Pick<State, 'deliveries'>): Problem[] {
  const name = deliveryNamedBy(spec);
  if (name === undefined || deliveries.includes(name)) return [];
  return [noSuchDelivery(name, deliveries, 'registered')];
}

function noSuchDelivery(name: string, names: readonly string[], what: 'declared' | 'registered'): Problem {
  const near = didYouMean(name, names);
  return {
    code: 'unknown-delivery',
    path: ['delivery'],
    found: `delivery \`${name}\` is not ${what}`,
    allowed: names.length === 0 ? `a ${what} delivery; none is ${what}` : listValues(names),
    fix: near ?? missingDeliveryFix[what],
  };
}

/** A delivery that a schedule names must be declared and must fit. This is not checked if only the specs of one kind are known. */
function deliveryConflicts(specs: ReadonlyMap<string, Spec>, { declared }: Defaults): Problem[] {
  if (declared === undefined) return [];
  const deliveries = declared('webhookDeliveries') as ReadonlyMap<string, DeliverySpec>;
  return [...specs].flatMap(([name, spec]) => {
    const named = deliveryNamedBy(spec);
    if (named === undefined) return [];
    const delivery = deliveries.get(named);
    const problems =
      delivery === undefined
        ? [noSuchDelivery(named, [...deliveries.keys()], 'declared')]
        : deliveryMisfits(spec, delivery);
    return problems.map((problem) => ({ ...problem, path: [name, 'delivery'] }));
  });
}

const missingDeliveryFix = {
  declared: 'declare it under webhookDeliveries',
  registered: 'apply the delivery too; if it could not be registered, follow the fix in its own error',
};

async function convergeSchedule(spec: Spec, context: Context<Spec>): Promise<State> {
  const state = await observe(spec, context);
  const missing = unknownDelivery(spec, state);
  assertNoProblems(missing);
  const { owner, name } = state;
  const options = { signal: context.signal };
  await registerRecord(state, (client, wanted) => client.putSchedule(owner, name, wanted, options), context);
  return observe(spec, context);
}
