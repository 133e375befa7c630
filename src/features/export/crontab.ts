/** Exports a crontab: one line for each schedule, grouped by time zone. */

import { shellWords } from '../../base/values/shellWords.ts';
import { linesWithClockChanges } from './clockChangeLines.ts';
import { fiveFieldProblem, fiveFields } from './cronLines.ts';
import {
  defaultEnvironmentFile,
  type ExportedSchedule,
  type ExportProblem,
  type ExportTarget,
  environmentFileProblem,
  environmentRemarks,
  remarks,
  tickWords,
} from './target.ts';

export const crontab: ExportTarget = {
  uses: ['environmentFile'],
  optionProblem: (options) =>
    environmentFileProblem(options, { isAllowed: /^\//, why: 'cron starts its commands in another folder' }),
  problem: ({ owner, name, timing }) => fiveFieldProblem(timing, 'a crontab') ?? nameProblem(owner + name),
  files(schedules, { environmentFile = defaultEnvironmentFile, now = Date.now() }) {
    const load = shellWords(['.', environmentFile]);
    const commandOf = ({ owner, name }: ExportedSchedule) =>
      `set -a; ${load} && exec ${shellWords(['webdata', ...tickWords(owner, name)])}`;
    const zones = Map.groupBy(
      schedules.flatMap((schedule) =>
        linesWithClockChanges(schedule.timing, now).map((line) => ({ ...line, schedule })),
      ),
      ({ timeZone }) => timeZone,
    );
    const blocks = [...zones].flatMap(([timeZone, lines]) => [
      '',
      `CRON_TZ=${timeZone}`,
      ...lines.flatMap(({ schedule, cron }) => entry(schedule, `${fiveFields(cron)} ${commandOf(schedule)}`)),
    ]);
    const head = remarks(
      'crontab',
      'CRON_TZ needs cronie. Other crons, such as the one of Debian, ignore it and use the time zone of the machine:',
      'install cronie there, or export to systemd.',
      ...environmentRemarks(environmentFile),
    );
    const text = [...head.map((line) => `# ${line}`), 'SHELL=/bin/sh', 'PATH=/usr/local/bin:/usr/bin:/bin', ...blocks];
    return [{ file: 'webdata.crontab', text: `${text.join('\n')}\n` }];
  },
};

function entry({ owner, name, paused }: ExportedSchedule, line: string): string[] {
  // A bare % would end the command.
  const escaped = line.replaceAll('%', '\\%');
  return [`# ${owner}/${name}${paused ? ' (paused)' : ''}`, paused ? `# ${escaped}` : escaped];
}

/** Crons treat a backslash before % differently, and cut long lines off. */
function nameProblem(name: string): ExportProblem | undefined {
  if (!name.includes('\\') && name.length <= 400) return undefined;
  return {
    found: 'has a name that a crontab may change or cut off',
    allowed: 'names without a backslash, of at most 400 characters with their owner',
    fix: 'rename it',
  };
}
