/** Timeouts that do not take a suspended process for a silent server. */

/**
 * Calls back after this time, unless the returned function is called before. When a process goes on after a pause, its timers come before
 * everything that has arrived meanwhile: so the event loop turns once more before the call.
 */
export function patientTimeout(callback: () => void, ms: number): () => void {
  let isOver = false;
  const callUnlessOver = () => {
    if (!isOver) callback();
  };
  const timer = setTimeout(() => setImmediate(() => setImmediate(callUnlessOver)), ms);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
