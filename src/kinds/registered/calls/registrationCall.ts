/** Calls on the registry of the trigger service as data: their schemas, and the types that follow from them. */
import { z } from 'zod';
import type { Call, CallOf, ObjectBuilder } from '../../seam/call.ts';

const common = {
  triggers: z.string().describe('The URL of the trigger service.'),
  record: z.enum(['delivery', 'schedule']).describe('The kind of record.'),
  owner: z.string().describe('The owner of the record.'),
  name: z.string().describe('The name of the record.'),
};

export function registerSchema(object: ObjectBuilder) {
  return object({
    type: z.literal('register').describe('A delivery or a schedule is registered or changed.'),
    ...common,
    digest: z.string().describe('Digest of the new registration, without its secrets.'),
    before: z.string().nullable().describe('Digest of the registration before the call; null if it did not exist.'),
    delivery: z.string().optional().describe('The delivery that a schedule names.'),
  }).describe('`PUT /v1/owners/OWNER/…` of the trigger service.');
}

export function unregisterSchema(object: ObjectBuilder) {
  return object({
    type: z.literal('unregister').describe('A delivery or a schedule is removed.'),
    ...common,
  }).describe('`DELETE /v1/owners/OWNER/…` of the trigger service.');
}

/** The journal keeps digests of registrations, because a registration may hold secrets. */
export type RegisterCall = CallOf<ReturnType<typeof registerSchema>>;
export type UnregisterCall = CallOf<ReturnType<typeof unregisterSchema>>;
export type RegistrationCall = RegisterCall | UnregisterCall;

export function unregisterCall({ triggers, record, owner, name }: Omit<UnregisterCall, 'type'>): UnregisterCall {
  return { type: 'unregister', triggers, record, owner, name };
}

export function isRegistration(call: Call): call is RegistrationCall {
  return call.type === 'register' || call.type === 'unregister';
}
