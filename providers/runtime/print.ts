/** Prints messages, which the engine shows as those of the stack and not of a resource. */
import type { Print } from '../core/announcement.ts';
import type { RunNotes } from '../core/runNotes.ts';

/** Prints each message once for a run of the Pulumi CLI. A call that is about to be sent is announced in any case. */
export function printOnce(notes: RunNotes): Print {
  return async (text, about) => {
    if (about === 'call' || !notes.has(text)) process.stdout.write(`${text}\n`);
    notes.add([text]);
    return true;
  };
}
