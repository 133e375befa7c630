/** What this machine shows of processes to anybody who looks, sampled while something runs. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

interface Sampling {
  /** The command lines that were seen. */
  commands: ReadonlySet<string>;
}

/** Samples every 20 ms until `action` ends. */
export async function sampled<T>(action: () => Promise<T>): Promise<{ result: T; sampling: Sampling }> {
  const commands = new Set<string>();
  const others = new Set(processIds());
  const timer = setInterval(() => {
    for (const pid of processIds()) {
      if (others.has(pid)) continue;
      commands.add(textOf(pid, 'cmdline').replaceAll('\0', ' '));
    }
  }, 20);
  try {
    return { result: await action(), sampling: { commands } };
  } finally {
    clearInterval(timer);
  }
}

/** Ends a process that leads a session, and all that it has started: these are in groups of their own. */
export function killSession(leader: number): void {
  // Again, as one that was still alive may have started others meanwhile.
  for (let alive = aliveIn(leader); alive.length > 0; alive = aliveIn(leader)) for (const pid of alive) kill(pid);
}

function aliveIn(leader: number): string[] {
  return processIds().filter((pid) => {
    const [, state, , , session] = textOf(pid, 'stat').replace(/^.*\)/s, '').split(' ');
    return session === String(leader) && state !== 'Z';
  });
}

function kill(pid: string): void {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function processIds(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
