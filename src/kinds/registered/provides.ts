/** The capabilities of both kinds of the trigger service. */

import type { z } from 'zod';
import { isMapValue } from '../../base/values/plain.ts';
import { callWords } from '../seam/callWords.ts';
import { driftComparison } from '../seam/comparison.ts';
import type { Kind } from '../seam/kind.ts';
import { liveExport } from '../seam/liveExport.ts';
import { type NoteType, noteTypes } from '../seam/noteTypes.ts';
import { type OwnedResources, ownership } from '../seam/ownership.ts';
import { references } from '../seam/references.ts';
import { registeredBaseline } from './baseline.ts';
import { register, unregister } from './calls/registerAndUnregister.ts';
import { registerWords, unregisterWords } from './calls/registrationWords.ts';
import { declaredRecords } from './exportLive.ts';
import { comparablePlanned, plannedSpec } from './plannedSpec.ts';
import { type FoundRecord, removalDiff } from './registryRecord.ts';
import { recordsOf, registeredView } from './view.ts';

/** Provides what all registrations have. `schema` is that of a registered spec. */
export function provideRegistration<Spec, State>(
  kind: Kind<Spec, State>,
  record: FoundRecord['record'],
  schema: () => z.ZodObject,
  notes: readonly NoteType[] = [],
): void {
  noteTypes.provide(kind, [...ownedNoteTypes, ...notes]);
  references.provide(kind, { destinations: (written) => endpointsIn(written) });
  driftComparison.provide(kind, { baseline: registeredBaseline });
  ownership.provide(kind, ownedRecords(record));
  liveExport.provide(kind, { exportLive: (target, context) => declaredRecords(record, schema(), target, context) });
}

const ownedNoteTypes: readonly NoteType[] = [
  {
    code: 'not-declared',
    description: 'The resource is registered for this owner and not declared. It stays without `--prune`.',
  },
  { code: 'left-as-is', description: 'A destroy or an undo leaves something unchanged.' },
];

function ownedRecords(record: FoundRecord['record']): OwnedResources {
  return {
    seal: plannedSpec,
    comparable: comparablePlanned,
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

callWords.provide(register, registerWords);
callWords.provide(unregister, unregisterWords);
