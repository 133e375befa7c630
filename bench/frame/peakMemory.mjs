/** Loaded before a program (`node --import`): writes its peak memory in bytes when it ends. */
import { readFileSync, writeFileSync } from 'node:fs';

const { BENCH_PEAK_MEMORY: file } = process.env;
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(ownPeakMemory())));

/**
 * Returns the peak memory of this process so far, in bytes.
 * On Linux, `maxRSS` of a process that another has started is at least the peak memory of that one.
 */
export function ownPeakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
