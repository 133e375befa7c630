/** A spinner on stderr for work that takes longer than a second, shown only on a terminal. */
import yoctoSpinner from 'yocto-spinner';
import type { Io } from '../output/io.ts';

const quietMs = 1_000;

export async function withProgress<T>(text: string, { stderr }: Io, action: () => Promise<T>): Promise<T> {
  if (stderr !== process.stderr || !stderr.isTTY) return action();
  const spinner = yoctoSpinner({ text });
  const timer = setTimeout(() => spinner.start(), quietMs);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
    spinner.stop();
  }
}
