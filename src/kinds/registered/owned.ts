/** The parts that both kinds of the trigger service share: registrations that belong to an owner, with secrets that no file may keep. */

import { comparableSpecs, sealedSpec } from '../../triggers/spec/specDigest.ts';
import { isMapValue } from '../../values/plain.ts';
import { concurrencyKeys } from '../concurrencyKey.ts';
import type { AnyKind, OwnedResources } from '../kind.ts';
import type { NoteType } from '../notes.ts';
import { register, unregister } from './calls/registration.ts';
import { type FoundRecord, foreignCalls, recordFingerprint, removalDiff } from './registration.ts';
import { recordsOf, registeredView } from './view.ts';

/** The parts that all kinds of registrations share. */
export const ownedKind = {
  calls: [register, unregister],
  guards: { 'foreign-record': 'own' },
  destinations: (written: unknown) => endpointsIn(written),
  guard: (_spec: unknown, state: FoundRecord, calls) => foreignCalls(state, calls),
  fingerprintInput: recordFingerprint,
  concurrencyKey: (_spec, context) => concurrencyKeys.triggers(context.triggers().url),
} satisfies Partial<AnyKind>;

export const ownedNoteTypes: readonly NoteType[] = [
  {
    code: 'not-declared',
    description: 'The resource is registered for this owner and not declared. It stays without `--prune`.',
  },
  { code: 'left-as-is', description: 'A destroy or an undo leaves something unchanged.' },
];

export function ownedRecords(record: FoundRecord['record']): OwnedResources<unknown> {
  return {
    seal: sealedSpec,
    comparable: comparableSpecs,
    async registered(owner, context) {
      const { url } = context.triggers();
      return [...recordsOf(record, await context.view(registeredView).of(owner, context.signal))].map(
        ([name, { spec }]) => {
          const found: FoundRecord = { triggers: url, record, owner, name, registered: spec };
          const text = `the ${record} is registered for ${owner}, and not declared: it stays, unless \`--prune\` removes it`;
          return { name, note: { code: 'not-declared', text }, removal: removalDiff(found) };
        },
      );
    },
  };
}

/** Returns the paths of all endpoints. Leaves out inputs: the collector requests their URLs, not the trigger service. */
function endpointsIn(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (!isMapValue(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    if (key === 'inputs' && path.length === 0) return [];
    return key === 'endpoint' && typeof field === 'string' ? [[...path, key]] : endpointsIn(field, [...path, key]);
  });
}
