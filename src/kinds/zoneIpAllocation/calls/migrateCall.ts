/** `POST /zone/ips/migrate` (specification, D3) as data: its one schema, and the type that follows from it. */
import { z } from 'zod';
import type { Call, CallOf, ObjectBuilder } from '../../seam/call.ts';
import type { MigrateBatch } from '../solver/model.ts';

export function moveSchema(object: ObjectBuilder) {
  return object({
    ip: z.string().describe('Its address.'),
    country: z.string().describe('From the database that the service profile names, in lower case.'),
    from: z.string().describe('The zone that gives it.'),
    to: z.string().describe('The zone that receives it.'),
    reason: z
      .enum(['declared', 'count', 'surplus', 'released'])
      .describe(
        'Declared by address, fills a count, exceeds a count, or released because it is unmanaged or the declaration is destroyed.',
      ),
  }).describe('One IP that moves.');
}

export function migrateSchema(object: ObjectBuilder) {
  return object({
    type: z.literal('migrate').describe('IPs move between two zones.'),
    from: z.string().describe('The zone that gives.'),
    to: z.string().describe('The zone that receives.'),
    moves: z.array(moveSchema(object)).describe('The IPs that move.'),
  }).describe('`POST /zone/ips/migrate`.');
}

export type MigrateCall = CallOf<ReturnType<typeof migrateSchema>>;

export function migrateCall({ from, to, moves }: MigrateBatch): MigrateCall {
  return { type: 'migrate', from, to, moves };
}

export function isMigrateCall(call: Call): call is MigrateCall {
  return call.type === 'migrate';
}
