/** The end of a plugin: at a signal, and when the engine that started it has ended. */

const orphanCheckMs = 1_000;

/** Calls `end` at each signal that ends a process, and once the process that started this one has ended. A killed engine leaves its plugins behind. */
export function endWithEngine(end: () => Promise<void>, signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) process.on(signal, end);
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) void end();
  }, orphanCheckMs);
}
