/** The words and totals of calls on the registry of the trigger service. */
import { counted, does, shorten } from '../../../base/diagnostics/valueWords.ts';
import { isMapValue } from '../../../base/values/plain.ts';
import type { CallChange, CallTotal, CallWords } from '../../seam/callWords.ts';
import type { PropertyChange } from '../../seam/changes.ts';
import type { RegisterCall, RegistrationCall, UnregisterCall } from './registrationCall.ts';

const section = { id: 'registrations', title: 'Deliveries and schedules' };

function placeOf({ triggers, owner }: RegistrationCall): string {
  return `${triggers} (${owner})`;
}

/** A map that is added or removed as a whole becomes one row a field. */
function leaves({ path, kind, before, after, isDefault }: PropertyChange): CallChange[] {
  if (kind === 'change') return [{ kind, name: nameOf(path), before: valueText(before), after: valueText(after) }];
  const side = kind === 'add' ? 'after' : 'before';
  return fieldsOf(kind === 'add' ? after : before, path).map(({ at, value }) => ({
    kind,
    name: nameOf(at),
    [side]: valueText(value),
    ...(isDefault && { isDefault }),
  }));
}

function fieldsOf(value: unknown, at: PropertyKey[]): { at: PropertyKey[]; value: unknown }[] {
  if (!isMapValue(value) || Object.keys(value).length === 0) return [{ at, value }];
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, [...at, name]));
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

const longestValue = 200;

/** Text that could be mistaken for something else is quoted. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' && /^\S.*\S$|^\S$/.test(value) ? value : (JSON.stringify(value) ?? 'nothing');
  return shorten(text, longestValue);
}

const registrations: CallTotal<RegisterCall> = {
  name: 'registrations',
  description: {
    plan: 'Deliveries and schedules that are registered or changed.',
    run: 'Deliveries and schedules that were registered or changed.',
  },
  count: (calls) => calls.length,
  words: {
    planned: (count, _, mode) =>
      mode === 'drift'
        ? does(count, 'registration', 'differs', 'differ')
        : does(count, 'registration', 'is made or changed', 'are made or changed'),
    done: (count) => `${counted(count, 'registration')} changed`,
  },
};

const removals: CallTotal<UnregisterCall> = {
  name: 'removals',
  description: {
    plan: 'Deliveries and schedules that are removed.',
    run: 'Deliveries and schedules that were removed.',
  },
  count: (calls) => calls.length,
  words: {
    planned: (count, _, mode) =>
      mode === 'drift'
        ? does(count, 'registration', 'is not declared', 'are not declared')
        : does(count, 'registration', 'is removed', 'are removed'),
    done: (count) => `${counted(count, 'registration')} removed`,
  },
};

export const registerWords: CallWords<RegisterCall> = {
  section,
  noEffect: 'nothing registered',
  describe: (call, changes) => ({
    subject: call.record,
    place: placeOf(call),
    changes: changes.flatMap(leaves),
    items: [`${call.before === null ? 'registers' : 'changes'} ${call.name}`],
  }),
  totals: [registrations],
  tally: ({ before }) => (before === null ? { add: 1, change: 0, remove: 0 } : { add: 0, change: 1, remove: 0 }),
};

export const unregisterWords: CallWords<UnregisterCall> = {
  section,
  noEffect: 'nothing removed',
  describe: (call) => ({
    subject: call.record,
    place: placeOf(call),
    changes: [{ kind: 'remove', name: call.record, before: call.name }],
    items: [`removes ${call.name}`],
  }),
  totals: [removals],
};
