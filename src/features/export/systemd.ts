/** Exports systemd units: a service template for each owner, and a timer for each schedule, which starts an instance of the template. */

import { rangesOf } from '../../base/values/ranges.ts';
import { isPlainWord } from '../../base/values/shellWords.ts';
import type { Cron } from '../../triggers/timing/cron.ts';
import { linesWithClockChanges } from './clockChangeLines.ts';
import { stepOf, unevenProblem } from './cronLines.ts';
import {
  defaultEnvironmentFile,
  type ExportedFile,
  type ExportedSchedule,
  type ExportProblem,
  type ExportTarget,
  environmentFileProblem,
  environmentRemarks,
  remarks,
  tickWords,
} from './target.ts';

/** The longest file name. */
const LONGEST_UNIT_NAME = 255;

export const systemd: ExportTarget = {
  uses: ['environmentFile'],
  // A leading dash lets systemd start the command without the file.
  optionProblem: (options) =>
    environmentFileProblem(options, { isAllowed: /^-?\//, why: 'systemd ignores it in EnvironmentFile' }),
  problem: ({ owner, name, timing }) => unevenProblem(timing) ?? nameProblem(unitName(owner, name, 'service')),
  files(schedules, { environmentFile = defaultEnvironmentFile, now = Date.now() }) {
    const owners = new Set(schedules.map(({ owner }) => owner));
    return [
      ...[...owners].map((owner) => service(owner, environmentFile)),
      ...schedules.map((schedule) => timer(schedule, now)),
    ];
  },
};

function service(owner: string, environmentFile: string): ExportedFile {
  const words = tickWords(owner, '%I').map((word) => (word === '%I' ? word : execWord(word)));
  const lines = [
    ...remarks('systemd', ...environmentRemarks(environmentFile)).map((line) => `# ${line}`),
    '[Unit]',
    `Description=webdata: tick %I of ${escapePercent(owner)}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    `EnvironmentFile=${escapePercent(environmentFile)}`,
    // The colon disables expansion of `$` in names.
    `ExecStart=:webdata ${words.join(' ')}`,
    'TimeoutStartSec=10min',
    'NoNewPrivileges=true',
  ];
  return { file: unitName(owner, '', 'service'), text: `${lines.join('\n')}\n` };
}

function timer({ owner, name, timing, paused }: ExportedSchedule, now: number): ExportedFile {
  const calendars = linesWithClockChanges(timing, now, true).flatMap(({ cron, timeZone }) =>
    onCalendar(cron, timeZone),
  );
  const lines = [
    '[Unit]',
    `Description=webdata: timer of ${escapePercent(`${owner}/${name}`)}`,
    '',
    '[Timer]',
    ...calendars.map((calendar) => `OnCalendar=${calendar}`),
    'AccuracySec=1s',
    // The ledger decides about missed ticks.
    'Persistent=false',
    // Without an [Install] section a timer cannot be enabled.
    ...(paused ? ['', '# Paused: this timer cannot be enabled.'] : ['', '[Install]', 'WantedBy=timers.target']),
  ];
  return { file: unitName(owner, name, 'timer'), text: `${lines.join('\n')}\n` };
}

/** Returns several expressions if days of the month and of the week are alternatives, or if the last day is one of several. */
function onCalendar(cron: Cron, timeZone: string): string[] {
  const { hours, minutes, seconds } = cron;
  const time = `${part(hours, 0, 23)}:${part(minutes, 0, 59)}:${part(seconds, 0, 59)}`;
  const months = part(cron.months, 1, 12);
  return days(cron).map(({ weekday, day }) => `${weekday}*-${months}${day} ${time} ${timeZone}`);
}

/** `day` includes the separator after the month: `-` counts from the first day, `~` from the last. */
function days({ daysOfMonth, daysOfWeek, needsBothDays }: Cron): { weekday: string; day: string }[] {
  if (daysOfMonth.any && daysOfWeek.any) return [{ weekday: '', day: '-*' }];
  const { nth } = daysOfWeek;
  const week = nth === 0 ? '-*' : `-${two(nth * 7 - 6)}..${two(Math.min(nth * 7, 31))}`;
  const isPlainWeekday = nth === 0 && daysOfWeek.last.length === 0;
  const dates = daysOfMonth.any ? [] : datesOf(daysOfMonth);
  if (needsBothDays && !daysOfWeek.any && dates.length > 0 && isPlainWeekday)
    return dates.map((day) => ({ weekday: weekdays(daysOfWeek.days), day }));
  return [
    // The ledger ignores days that match only one of two fields.
    ...(needsBothDays && !daysOfWeek.any ? [] : dates.map((day) => ({ weekday: '', day }))),
    ...(!daysOfWeek.any && daysOfWeek.days.length > 0 ? [{ weekday: weekdays(daysOfWeek.days), day: week }] : []),
    ...(daysOfWeek.last.length > 0 ? [{ weekday: weekdays(daysOfWeek.last), day: '~07/1' }] : []),
  ];
}

function datesOf({ days: each, last }: Cron['daysOfMonth']): string[] {
  return [...(each.length > 0 ? [`-${part(each, 1, 31)}`] : []), ...(last ? ['~01'] : [])];
}

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function weekdays(values: readonly number[]): string {
  const name = (day: number) => weekdayNames[day] ?? '';
  // In systemd the week ends on Sunday, so no range can start there.
  const ranges = rangesOf(values.filter((day) => day > 0)).map(([a, b]) =>
    a === b ? name(a) : `${name(a)}..${name(b)}`,
  );
  return `${[...ranges, ...(values.includes(0) ? [name(0)] : [])].join()} `;
}

function part(values: readonly number[], from: number, to: number): string {
  if (values.length === to - from + 1) return '*';
  const step = stepOf(values);
  const [first = from, last = to] = [values[0], values.at(-1)];
  if (step !== undefined && step > 1) return `${two(first)}${last + step > to ? '' : `..${two(last)}`}/${step}`;
  return rangesOf(values)
    .map(([a, b]) => (a === b ? two(a) : `${two(a)}..${two(b)}`))
    .join();
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function unitName(owner: string, name: string, kind: 'service' | 'timer'): string {
  return `webdata-${unitPart(owner)}@${unitPart(name)}.${kind}`;
}

/** Escapes like systemd-escape, so that %I expands to the name. */
function unitPart(text: string): string {
  return [...Buffer.from(text)]
    .map((byte, index) => {
      const character = String.fromCharCode(byte);
      if (character === '/') return '-';
      const isPlain = /[A-Za-z0-9:_.]/.test(character) && !(character === '.' && index === 0);
      return isPlain ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

function execWord(word: string): string {
  const escaped = escapePercent(word);
  return isPlainWord(word) ? escaped : `"${escaped.replaceAll(/["\\]/g, '\\$&')}"`;
}

function escapePercent(text: string): string {
  return text.replaceAll('%', '%%');
}

function nameProblem(unit: string): ExportProblem | undefined {
  if (unit.length <= LONGEST_UNIT_NAME) return undefined;
  return {
    found: `needs a unit name of ${unit.length} characters`,
    allowed: `at most ${LONGEST_UNIT_NAME}; characters other than letters and digits take 4 each`,
    fix: 'use a shorter name',
  };
}
