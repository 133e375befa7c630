/** Prints messages, which the engine shows as those of the stack and not of a resource. */
import type { Print } from '../core/announcements.ts';

/** Prints each message once in this process. A call that is about to be sent is announced in any case. */
export function printOnce(): Print {
  const printed = new Set<string>();
  return async (text, about) => {
    if (about === 'call' || !printed.has(text)) process.stdout.write(`${text}\n`);
    printed.add(text);
    return true;
  };
}
