/** The processor time of servers, which other load on the machine changes less than their time. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '../../src/triggers/store/database.ts';

type Process = Pick<ChildProcess, 'pid'>;

/** Returns the user and system time of processes and their children, including children that have ended. The kernel counts hundredths of a second. */
export function processorSeconds(processes: readonly Process[]): number {
  const roots = new Set(processes.map(({ pid }) => pid));
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.reduce((sum, name) => {
    const [, parent, ...fields] = statOf(name);
    const isCounted = roots.has(Number(name)) || roots.has(Number(parent));
    return isCounted ? sum + fields.slice(9, 13).reduce((ticks, field) => ticks + Number(field), 0) / 100 : sum;
  }, 0);
}

/** Returns the time of the main thread in milliseconds: the kernel counts it in nanoseconds, and an idle server needs less than a hundredth of a second. */
export function mainThreadMs({ pid }: Process): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Returns the main process of the PostgreSQL server, which is the parent of all its others. */
export async function postmasterOf(database: Database): Promise<Process> {
  const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { pid: Number(statOf(`${row?.pid}`)[1]) };
}

/** Returns the fields after the name of the program, or none for a process that has ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}
