/** The parts that both kinds of the trigger service share: registrations that belong to an owner, with secrets that no file may keep. */

import { concurrencyKeys } from '../seam/concurrencyKey.ts';
import type { AnyKind } from '../seam/kind.ts';
import { register, unregister } from './calls/registerAndUnregister.ts';
import { type FoundRecord, foreignCalls, recordFingerprint } from './registryRecord.ts';

/** The parts that all kinds of registrations share. */
export const ownedKind = {
  calls: [register, unregister],
  guards: {
    scopes: { 'foreign-record': 'own' },
    broken: (_spec: unknown, state: FoundRecord, calls) => foreignCalls(state, calls),
    // A registration has the name of its resource: another name never made it.
    couldMake: () => false,
  },
  fingerprint: recordFingerprint,
  concurrencyKey: (_spec, context) => concurrencyKeys.triggers(context.triggers().url),
} satisfies Partial<AnyKind>;
