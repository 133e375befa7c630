/** What changes of a delivery or schedule in the trigger service, property by property. */
import { isMapValue } from '../input/plain.ts';
import { shorten } from '../input/values.ts';
import { isRegistration, type RegistrationCall } from '../resources/call.ts';
import type { PropertyChange } from '../resources/changes.ts';
import type { ResourcePlan } from '../sync/plan.ts';

export interface RegistrationChange {
  kind: PropertyChange['kind'];
  /** `cron`, `inputs.row 1`; of a record as a whole, what it is. */
  name: string;
  /** Undefined for what was not there, or will not be. */
  before?: string | undefined;
  after?: string | undefined;
}

/** Of a resource's calls, those of the trigger service, as they would be told. Secrets are words in the changes already. */
export function registrationChanges({ calls, changes }: Pick<ResourcePlan, 'calls' | 'changes'>): RegistrationChange[] {
  return calls.filter(isRegistration).flatMap((call): RegistrationChange[] => {
    if (call.type === 'unregister') return [removed(call)];
    return changes.flatMap(leavesOf);
  });
}

function removed({ record, name }: RegistrationCall): RegistrationChange {
  return { kind: 'remove', name: record, before: name };
}

/** A map that is added or removed as a whole, field by field. */
function leavesOf({ path, kind, before, after }: PropertyChange): RegistrationChange[] {
  if (kind === 'change') {
    return [{ kind, name: nameOf(path), before: shownValue(before), after: shownValue(after) }];
  }
  const side = kind === 'add' ? 'after' : 'before';
  return fieldsOf(kind === 'add' ? after : before, path).map(({ at, value }) => ({
    kind,
    name: nameOf(at),
    [side]: shownValue(value),
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

/** Text that could be read as something else is quoted. */
function shownValue(value: unknown): string {
  const text = typeof value === 'string' && /^\S.*\S$|^\S$/.test(value) ? value : (JSON.stringify(value) ?? 'nothing');
  return shorten(text, longestValue);
}
