/**
 * What makes another scheduler tick: files that run `webdata triggers fire-tick … --tick now` when a schedule is due. The ledger decides
 * what becomes of each: a tick that is started twice fires once, and one that never is shows as a gap.
 */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { crontab } from './crontab.ts';
import { githubActions } from './githubActions.ts';
import { kubernetes } from './kubernetes.ts';
import { systemd } from './systemd.ts';
import type { ExportedFile, ExportedSchedule, ExportOptions, Target } from './target.ts';

const targets = { kubernetes, crontab, systemd, 'github-actions': githubActions } satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;

export const targetNames = Object.keys(targets) as TargetName[];

/** @throws ProblemError for every schedule that the other scheduler can't tick */
export function exportTicks(
  schedules: readonly ExportedSchedule[],
  to: TargetName,
  options: ExportOptions = {},
): ExportedFile[] {
  const target: Target = targets[to];
  const problems = schedules.flatMap((schedule) => problemsOf(schedule, target, options));
  if (problems.length > 0) throw new ProblemError(problems);
  return schedules.length === 0 ? [] : target.files(schedules, options);
}

function problemsOf(schedule: ExportedSchedule, target: Target, options: ExportOptions): Problem[] {
  const refusal = unwritable(schedule) ?? target.refusal(schedule, options);
  if (refusal === undefined) return [];
  const { found, ...rest } = refusal;
  const name = JSON.stringify(`${schedule.owner}/${schedule.name}`);
  return [{ code: 'not-exportable', path: ['collectorSchedules', schedule.name], found: `${name} ${found}`, ...rest }];
}

function unwritable({ owner, name }: ExportedSchedule) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a line of a file can't hold.
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(owner + name)) return undefined;
  return { found: 'has a control character in its name', allowed: 'names that fit on a line', fix: 'give it another' };
}
