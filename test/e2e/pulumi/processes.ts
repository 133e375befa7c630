/** What this machine shows of processes to anybody who looks, sampled while something runs. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Sampling {
  /** The command lines that were seen. */
  commands: ReadonlySet<string>;
  /** The most memory that a process with this in its command line has held, in MB. */
  peakMegabytes(command: string): number;
}

/** Samples every 20 ms until `action` ends. */
export async function sampled<T>(action: () => Promise<T>): Promise<{ result: T; sampling: Sampling }> {
  const commands = new Set<string>();
  const peaks = new Map<string, number>();
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = textOf(pid, 'cmdline').replaceAll('\0', ' ');
      commands.add(command);
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(textOf(pid, 'status'))?.[1] ?? 0) / 1024;
      peaks.set(command, Math.max(peak, peaks.get(command) ?? 0));
    }
  }, 20);
  try {
    const result = await action();
    const peakMegabytes = (part: string) =>
      Math.max(0, ...[...peaks].filter(([command]) => command.includes(part)).map(([, peak]) => peak));
    return { result, sampling: { commands, peakMegabytes } };
  } finally {
    clearInterval(timer);
  }
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
