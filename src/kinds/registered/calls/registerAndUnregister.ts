/** Calls on the registry of the trigger service: `PUT` and `DELETE /v1/owners/OWNER/…`. */

import { wholeResult } from '../../seam/call.ts';
import type { CallType } from '../../seam/callType.ts';
import { concurrencyKeys } from '../../seam/concurrencyKey.ts';
import type { Note } from '../../seam/notes.ts';
import { registeredView } from '../view.ts';
import {
  type RegisterCall,
  type RegistrationCall,
  registerSchema,
  type UnregisterCall,
  unregisterCall,
  unregisterSchema,
} from './registrationCall.ts';
import { undoRegistration } from './undoRegistration.ts';

function recordKey({ type, triggers, record, owner, name }: RegistrationCall): string[] {
  return [type, triggers, record, owner, name];
}

function notKept({ name }: RegistrationCall): Note {
  const text = `the journal does not hold the previous registration of ${name}, because it may contain secrets: declare it and apply`;
  return { code: 'left-as-is', text };
}

const alike = {
  target: ({ triggers }) => concurrencyKeys.triggers(triggers),
  billed: false,
  flow: () => undefined,
  facts: () => undefined,
  isObserved: () => true,
  changes: () => [],
  expect: (call, views) => views.view(registeredView).expect(call),
} satisfies Partial<CallType<RegistrationCall>>;

export const register: CallType<RegisterCall> = {
  type: 'register',
  schema: registerSchema,
  key: (call) => JSON.stringify([...recordKey(call), call.digest, call.before]),
  ...alike,
  result: wholeResult,
  invert: (call) =>
    call.before === null ? { calls: [unregisterCall(call)], notes: [] } : { calls: [], notes: [notKept(call)] },
};

export const unregister = {
  type: 'unregister',
  schema: unregisterSchema,
  key: (call) => JSON.stringify(recordKey(call)),
  ...alike,
  result: wholeResult,
  invert: (call) => ({ calls: [], notes: [notKept(call)] }),
  undo: undoRegistration,
} satisfies CallType<UnregisterCall>;
