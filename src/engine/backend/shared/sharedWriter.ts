/** Writes lines to the log of a shared backend. Lines that are written at the same time share an entry, and lines that can wait join the next one. */
import type { LogWriter } from '../backend.ts';
import type { Lease } from './lease.ts';

/** The longest time that a line waits for others. */
const waitMs = 100;
/** Longer entries would be slow to write. */
const mostCharacters = 1024 * 1024;

export function createSharedWriter(lease: Lease): LogWriter {
  let pending: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const assertWorking = () => {
    if (failure !== undefined) throw failure.error;
  };

  async function writePending(): Promise<void> {
    while (pending.length > 0) {
      assertWorking();
      const lines = takeEntry();
      try {
        await lease.write(lines);
      } catch (error) {
        failure = { error };
      }
    }
    assertWorking();
  }

  function takeEntry(): string[] {
    let [count, characters] = [0, 0];
    while (count < pending.length && (count === 0 || characters < mostCharacters)) {
      characters += pending[count]?.length ?? 0;
      count++;
    }
    const lines = pending.slice(0, count);
    pending = pending.slice(count);
    return lines;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const written = writing.then(writePending);
    writing = written.catch(() => undefined);
    return written;
  }

  return {
    async append(lines, urgency) {
      assertWorking();
      pending.push(...lines);
      if (urgency === 'now') return flush();
      // A failure is thrown by the next call.
      timer ??= setTimeout(() => void flush().catch(() => undefined), waitMs);
    },
    close: flush,
  };
}
