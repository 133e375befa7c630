/**
 * Exports files for another scheduler, which runs `webdata triggers fire-tick … --tick now` when a schedule is due. The ledger decides about
 * each tick: one that is started twice fires once, and one that is never started shows as a gap.
 */
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { crontab } from './crontab.ts';
import { githubActions } from './githubActions.ts';
import { kubernetes } from './kubernetes.ts';
import { systemd } from './systemd.ts';
import {
  controlCharacter,
  type ExportedFile,
  type ExportedSchedule,
  type ExportOptions,
  type ExportProblem,
  type ExportTarget,
} from './target.ts';

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
  const problem = unusedOption(to, target, options) ?? target.optionProblem?.(options);
  if (problem !== undefined) throw new ProblemError([{ code: 'not-exportable', ...problem }]);
  assertNoProblems(schedules.flatMap((schedule) => problemsOf(schedule, target, options)));
  return schedules.length === 0 ? [] : target.files(schedules, options);
}

const optionNames = { image: '--image', environmentFile: '--environment-file' } as const;

function unusedOption(to: TargetName, { uses }: ExportTarget, options: ExportOptions): ExportProblem | undefined {
  const option = (['image', 'environmentFile'] as const).find(
    (each) => options[each] !== undefined && !uses.includes(each),
  );
  if (option === undefined) return undefined;
  const users = targetNames.filter((name) => targets[name].uses.some((each) => each === option));
  const name = optionNames[option];
  const found = `${name} has no effect with --to ${to}`;
  return { found, allowed: `${name} with --to ${users.join(' or --to ')}`, fix: 'leave it out' };
}

function problemsOf(schedule: ExportedSchedule, target: ExportTarget, options: ExportOptions): Problem[] {
  const problem = controlCharacterProblem(schedule) ?? target.problem(schedule, options);
  if (problem === undefined) return [];
  const { found, ...rest } = problem;
  const name = JSON.stringify(`${schedule.owner}/${schedule.name}`);
  return [{ code: 'not-exportable', path: ['collectorSchedules', schedule.name], found: `${name} ${found}`, ...rest }];
}

function controlCharacterProblem({ owner, name }: ExportedSchedule) {
  if (!controlCharacter.test(owner + name)) return undefined;
  return {
    found: 'has a control character in its name',
    allowed: 'names without control characters',
    fix: 'rename it',
  };
}
