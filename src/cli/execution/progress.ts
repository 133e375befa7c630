/** A spinner on stderr for work that takes longer than a second, with a clock. Shown only on a terminal. */
import yoctoSpinner from 'yocto-spinner';
import type { Io } from '../output/io.ts';

const quietMs = 1_000;
const clockMs = 1_000;

/** A step of the work on a stream, shown in place of its name. */
const steps = new WeakMap<Io['stderr'], string>();

/** Shows a step of the work that is in progress. */
export function showStep({ stderr }: Pick<Io, 'stderr'>, step: string): void {
  steps.set(stderr, step);
}

export async function withProgress<T>(text: string, { stderr }: Io, action: () => Promise<T>): Promise<T> {
  if (stderr !== process.stderr || !stderr.isTTY) return action();
  const begun = performance.now();
  const spinner = yoctoSpinner({ text });
  const show = () => {
    spinner.text = `${steps.get(stderr) ?? text}, ${Math.round((performance.now() - begun) / 1000)} s`;
  };
  const timer = setTimeout(() => spinner.start(), quietMs);
  const clock = setInterval(show, clockMs);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
    clearInterval(clock);
    steps.delete(stderr);
    spinner.stop();
  }
}
