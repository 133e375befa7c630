/** Logs each new problem of the rounds once, and its end. Sends an alert at once, or after a minute if the problem may pass by itself. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { RoundHealth } from './roundHealth.ts';
import type { WorkerOptions } from './workerOptions.ts';

/** Returns a function that looks for a problem, and reports what has changed. */
export function createProblemReport(
  health: Pick<RoundHealth, 'problem'>,
  log: WorkerOptions['log'],
  alert: (problem: Problem) => void,
): () => void {
  let known: { code: string; since: number; isAlerted: boolean } | undefined;
  return () => {
    const problem = health.problem();
    if (problem === undefined) {
      if (known !== undefined) log.info({}, 'schedules fire again');
      known = undefined;
      return;
    }
    if (known?.code !== problem.code) {
      known = { code: problem.code, since: known?.since ?? performance.now(), isAlerted: false };
      log.warn({ reason: problem.found }, `${problemTexts[problem.code] ?? 'the store cannot be written'}; retrying`);
    }
    const mayPass = problem.code === 'store-away' || problem.code === 'worker-failed';
    if (known.isAlerted || (mayPass && performance.now() - known.since < blipMs)) return;
    known.isAlerted = true;
    alert(problem);
  };
}

const problemTexts: Readonly<Record<string, string>> = {
  'store-away': 'the store is unreachable',
  'worker-failed': 'the worker failed',
  'worker-hangs': 'the worker hangs',
  'ticks-overdue': 'schedules do not fire',
};

const blipMs = 60_000;
