/** Notices when a program begins to read a large account, so that it can limit its memory. */

/** About 15,000 IPs. */
const largeBytes = 256 * 1024;

let bytesRead = 0;
let limitMemory: (() => void) | undefined;

/** Calls the function once, when declarations and answers have reached the size of a large account. */
export function beforeLargeInput(limit: () => void): void {
  limitMemory = limit;
}

/** Counts a declaration or an answer that is parsed next. */
export function reportInput(bytes: number): void {
  bytesRead += bytes;
  if (bytesRead < largeBytes) return;
  limitMemory?.();
  limitMemory = undefined;
}
