/** Schedules of all kinds that can be exported, and a few that can't. */
import { exportTicks } from '../../../src/features/export/exportTicks.ts';
import type { ExportedSchedule, ExportOptions } from '../../../src/features/export/target.ts';

export function schedule(
  name: string,
  timing: ExportedSchedule['timing'] | string,
  rest: Partial<ExportedSchedule> = {},
): ExportedSchedule {
  const berlin = { timeZone: 'Europe/Berlin' };
  return {
    owner: 'acme',
    name,
    timing: typeof timing === 'string' ? { cron: timing, ...berlin } : timing,
    paused: false,
    ...rest,
  };
}

/** What all four targets can say. */
export const plain: readonly ExportedSchedule[] = [
  schedule('nightly', '0 3 * * *'),
  schedule('office-hours', '*/15 8-18 * * MON-FRI'),
  schedule('midnight', '30 0 * * MON'),
  schedule('hourly', { everyMs: 3_600_000 }),
  schedule('every-90-minutes', { everyMs: 5_400_000 }),
  schedule('weekly', { everyMs: 604_800_000 }),
  schedule('india', { cron: '0 9 1,15 * *', timeZone: 'Asia/Kolkata' }),
  schedule('friday or 13th', { cron: '0 12 13 * FRI', timeZone: 'UTC' }),
  schedule('rest', '0 6 * * *', { paused: true }),
  schedule(`it's 100% "odd" $(HOME) @ü`, '0 4 * * SUN', { owner: 'Acme & Söhne' }),
];

/** What systemd can say, and the others can't. */
export const special: readonly ExportedSchedule[] = [
  schedule('seconds', { everyMs: 20_000 }),
  schedule('uneven-seconds', { everyMs: 45_000 }),
  schedule('last-day', '0 22 L * *'),
  schedule('last-friday', '0 22 * * 5L'),
  schedule('third-friday', '0 22 * * FRI#3'),
  schedule('alternate', '0 0 */2 1-6 *'),
  schedule('sunday', '5 4 * * 7,1-3'),
];

interface CrontabLine {
  timeZone: string;
  fields: string;
  /** As cron hands it to the shell. */
  command: string;
}

/** Read as cron reads it: settings hold for the lines below them, and `\%` is a `%`. */
export function crontabLines(schedules: readonly ExportedSchedule[], options: ExportOptions = {}): CrontabLine[] {
  const [file] = exportTicks(schedules, 'crontab', options);
  let timeZone = '';
  return (file?.text ?? '').split('\n').flatMap((line) => {
    if (line.startsWith('CRON_TZ=')) timeZone = line.slice('CRON_TZ='.length);
    const [, fields, command] = /^((?:[\d*,/-]+ ){5})(.*)$/.exec(line) ?? [];
    if (fields === undefined || command === undefined) return [];
    if (/(?<!\\)%/.test(command)) throw new Error(`cron ends this command at the %: ${command}`);
    return [{ timeZone, fields: fields.trim(), command: command.replaceAll('\\%', '%') }];
  });
}
