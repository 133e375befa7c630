import type { TextOptions } from '../../report/model/style.ts';
import type { Io } from './io.ts';

/** Returns how to lay out text: with color if the flags, the terminal and the variables allow it. */
export function textOptions(
  { color, full }: { color?: boolean | undefined; full?: boolean | undefined },
  { stdout, env }: Io,
): TextOptions {
  // Follows https://no-color.org and its counterpart FORCE_COLOR.
  const isColored = color !== false && !env.NO_COLOR && (stdout.isTTY || Boolean(env.FORCE_COLOR));
  return { color: isColored, width: stdout.columns, full };
}
