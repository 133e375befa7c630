/** Calls as they stand in files: in plans and in the journal, which may have been edited by hand. */
import { z } from 'zod';
import type { Call } from '../resources/call.ts';

/** `object` says what becomes of fields that there are not: `z.strictObject` refuses them, `z.object` leaves them out. */
export function callSchema(object: typeof z.strictObject | typeof z.object): z.ZodType<Call> {
  const move = object({
    ip: z.string(),
    country: z.string(),
    from: z.string(),
    to: z.string(),
    reason: z.enum(['declared', 'count', 'surplus', 'released']),
  });
  const settings = object({
    zone: z.string().optional(),
    wwwWhitelistIps: z.array(z.string()).optional(),
    whitelistIps: z.array(z.string()).optional(),
    logs: z.int().optional(),
    requestStats: z.boolean().optional(),
  });
  const registration = {
    triggers: z.string(),
    record: z.enum(['delivery', 'schedule']),
    owner: z.string(),
    name: z.string(),
  };
  return z.discriminatedUnion('type', [
    object({ type: z.literal('migrate'), from: z.string(), to: z.string(), moves: z.array(move) }),
    object({ type: z.literal('updateSettings'), manager: z.string(), settings, before: settings }),
    object({ type: z.literal('deletePorts'), manager: z.string(), ports: z.array(z.int()), observed: z.boolean() }),
    object({
      type: z.literal('register'),
      ...registration,
      digest: z.string(),
      before: z.string().nullable(),
      delivery: z.string().optional(),
    }),
    object({ type: z.literal('unregister'), ...registration }),
  ]);
}
