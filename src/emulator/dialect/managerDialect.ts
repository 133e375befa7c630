/** Dialect of the local proxy manager (F). */
import { z } from 'zod';
import { settingFieldNames } from '../core/emulatedManager.ts';

export const managerFields = {
  answersGetSettings: z
    .boolean()
    .default(true)
    .describe('Answers GET /api/settings; if false, with `errors.settings-unreadable`.'),
  settingsFields: z
    .partialRecord(z.enum(settingFieldNames), z.enum(['missing', 'null', 'text']))
    .default({})
    .describe('Fields of the settings object that are missing, null, or a text where another type is specified.'),
  recentStats: z
    .enum(['by-port', 'totals', 'empty', 'html', 'refused'])
    .default('by-port')
    .describe('GET /api/recent_stats: an object by port, totals without ports, `{}`, an HTML page, or 404.'),
  portsRoute: z
    .string()
    .startsWith('/', 'must be a path that begins with /')
    .optional()
    .describe('Path at which the manager lists its ports as `[{port: 24000}]`; by default there is none.'),
  unknownPorts: z
    .enum(['ignored', 'refused'])
    .default('ignored')
    .describe('Deletion of a port that does not run: ignores that port, or refuses the whole request.'),
};
