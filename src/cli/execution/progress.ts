/** A spinner on stderr for work that takes longer than a second, with a clock. Shown only on a terminal. */
import yoctoSpinner from 'yocto-spinner';
import type { Io } from '../output/io.ts';

const quietMs = 1_000;
const clockMs = 1_000;

/** The name of the work that a stream shows, and what it is doing now. */
const shown = new WeakMap<Io['stderr'], { text: string; step?: string }>();

/** Shows a step of the work that is in progress; with `during`, only if it has this name. */
export function showStep({ stderr }: Pick<Io, 'stderr'>, step: string, during?: string): void {
  const work = shown.get(stderr);
  if (work !== undefined && (during ?? work.text) === work.text) work.step = step;
}

export async function withProgress<T>(text: string, { stderr }: Io, action: () => Promise<T>): Promise<T> {
  if (stderr !== process.stderr || !stderr.isTTY) return action();
  const begun = performance.now();
  // By default, the spinner ends the process at the first interrupt, before the calls in flight have their answers.
  const spinner = yoctoSpinner({ text, handleSignals: false });
  // The second interrupt ends the process at once, and the terminal would stay without a cursor.
  const stop = () => void spinner.stop();
  process.on('exit', stop);
  const work: { text: string; step?: string } = { text };
  shown.set(stderr, work);
  const show = () => {
    spinner.text = `${work.step ?? text}, ${Math.round((performance.now() - begun) / 1000)} s`;
  };
  const timer = setTimeout(() => spinner.start(), quietMs);
  const clock = setInterval(show, clockMs);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
    clearInterval(clock);
    shown.delete(stderr);
    process.off('exit', stop);
    stop();
  }
}
