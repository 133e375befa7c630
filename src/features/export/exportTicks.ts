/**
 * Exports files for another scheduler, which runs `webdata triggers fire-tick … --tick now` when a schedule is due. The ledger decides about
 * each tick: one that is started twice fires once, and one that is never started shows as a gap.
 */
import { assertNoProblems, type Problem } from '../../base/diagnostics/problem.ts';
import { crontab } from './crontab.ts';
import { githubActions } from './githubActions.ts';
import { kubernetes } from './kubernetes.ts';
import { systemd } from './systemd.ts';
import type { ExportedFile, ExportedSchedule, ExportOptions, ExportTarget } from './target.ts';

const targets = { kubernetes, crontab, systemd, 'github-actions': githubActions } satisfies Record<
  string,
  ExportTarget
>;

export type TargetName = keyof typeof targets;

export const targetNames = Object.keys(targets) as TargetName[];

/** @throws ProblemError for every schedule that the other scheduler does not support */
export function exportTicks(
  schedules: readonly ExportedSchedule[],
  to: TargetName,
  options: ExportOptions = {},
): ExportedFile[] {
  const target: ExportTarget = targets[to];
  assertNoProblems(schedules.flatMap((schedule) => problemsOf(schedule, target, options)));
  return schedules.length === 0 ? [] : target.files(schedules, options);
}

function problemsOf(schedule: ExportedSchedule, target: ExportTarget, options: ExportOptions): Problem[] {
  const problem = controlCharacterProblem(schedule) ?? target.problem(schedule, options);
  if (problem === undefined) return [];
  const { found, ...rest } = problem;
  const name = JSON.stringify(`${schedule.owner}/${schedule.name}`);
  return [{ code: 'not-exportable', path: ['collectorSchedules', schedule.name], found: `${name} ${found}`, ...rest }];
}

function controlCharacterProblem({ owner, name }: ExportedSchedule) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters would break a line of the file.
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(owner + name)) return undefined;
  return {
    found: 'has a control character in its name',
    allowed: 'names without control characters',
    fix: 'rename it',
  };
}
