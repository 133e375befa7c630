/** Memory of what may hold a whole account, or runs for weeks. */
import { setFlagsFromString } from 'node:v8';

/**
 * V8 gives new objects ever more room while the machine has memory, and looks for what is used no more only when that is full: a
 * plan of 100,000 IPs takes 280 MB. With the room that it begins with, it takes 190 MB, in hardly more time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
