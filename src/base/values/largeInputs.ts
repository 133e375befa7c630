/** Notices when a program begins to read a large account, so that it can limit its memory. */

/** The declaration and the listings of about 2,500 IPs. */
const largeBytes = 256 * 1024;

let bytesRead = 0;
let limitMemory: (() => void) | undefined;

/** Calls the function once, when declarations and answers have reached the size of a large account. */
export function beforeLargeInput(limit: () => void): void {
  limitMemory = limit;
}

/** Counts a declaration that is parsed next, as the answers that will be read for it: they have about four times as many bytes for each IP. */
export function reportDeclaration(bytes: number): void {
  reportInput(4 * bytes);
}

/** Counts an answer that is parsed next. */
export function reportInput(bytes: number): void {
  bytesRead += bytes;
  if (bytesRead < largeBytes) return;
  limitMemory?.();
  limitMemory = undefined;
}
