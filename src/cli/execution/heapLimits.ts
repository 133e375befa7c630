/** Limits on the memory of commands that may hold a whole account, or that run for weeks. */
import { setFlagsFromString } from 'node:v8';

/**
 * V8 enlarges the space for new objects while the machine has memory, and collects it only when it is full. At its initial size, a
 * plan of 100,000 IPs takes 190 MB instead of 280 MB, in hardly more time.
 */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
