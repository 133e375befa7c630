/** How much time has gone by, in milliseconds: also while the machine slept, and whatever is done to its clock. */
export type Stopwatch = () => number;

export function stopwatch(): Stopwatch {
  const [running, told] = [performance.now(), Date.now()];
  // The first stands still while a machine sleeps, the second is set by people: too long is the safe error.
  return () => Math.max(performance.now() - running, Date.now() - told);
}
