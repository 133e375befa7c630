/** The schema of `webdata doctor --format json`. Within a version, fields may be added, but are not renamed or removed. */
import { z } from 'zod';

const check = z
  .object({
    name: z.string().describe('The subject of the check. Stable: `declaration`, `lock`, `zone checkout`.'),
    result: z
      .enum(['ok', 'note', 'skipped', 'failed'])
      .describe('`note`: works, but needs a look. `skipped`: not configured. `failed`: something is wrong.'),
    text: z.string().describe('The finding, for people.'),
    fix: z.string().optional().describe('A solution.'),
  })
  .describe('One check.');

export const doctorSchema = () =>
  z
    .object({
      format: z.literal('webdata.doctor/1').describe('The name of this format, and its version.'),
      version: z.string().describe('The version of webdata.'),
      result: z.enum(['ok', 'failed']).describe('`failed` if a check failed.'),
      checks: z.array(check).describe('The checks, in their order.'),
      profile: z
        .record(z.string(), z.unknown())
        .describe('The detected service profile, in the form of `service.profile`; empty if the defaults fit.'),
    })
    .describe('The findings of `webdata doctor`.');

export type DoctorDocument = z.output<ReturnType<typeof doctorSchema>>;
