/** The memory of processes, sampled repeatedly, and whether it grows. */
import { readFileSync } from 'node:fs';
import type { Started } from './servers.ts';

/** Kilobytes by process. */
export type Sample = Readonly<Record<string, number>>;

export function sampleOf(processes: readonly Started[]): Sample {
  return Object.fromEntries(processes.map(({ name, child }) => [name, heldBy(child.pid)]));
}

function heldBy(pid: number | undefined): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes);
}

export interface Growth {
  name: string;
  /** Medians of the second and of the last quarter of the time, in kilobytes. */
  second: number;
  last: number;
  /** The last quarter divided by the second. */
  ratio: number;
}

/** Ignores the first quarter, in which caches fill. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const quarter = samples.length / 4;
  const part = (from: number, to: number) => samples.slice(Math.floor(from * quarter), Math.ceil(to * quarter));
  return Object.keys(samples[0] ?? {}).map((name) => {
    const [second, last] = [median(part(1, 2), name), median(part(3, 4), name)];
    return { name, second, last, ratio: last / second };
  });
}

function median(samples: readonly Sample[], name: string): number {
  const sorted = samples.map((sample) => sample[name] ?? 0).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
