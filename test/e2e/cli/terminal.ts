/** A shell in a terminal of its own, typed into as a person would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

export interface Terminal extends AsyncDisposable {
  type(keys: string): void;
  /** What the screen got since the last time, once it holds `pattern`. @throws Error where it does not within seconds */
  until(pattern: RegExp): Promise<string>;
}

/** `script` of util-linux makes the terminal. */
export function openTerminal(command: string, cwd: string, env: Record<string, string | undefined>): Terminal {
  const child = spawn('script', ['--quiet', '--command', command, '/dev/null'], { cwd, env, detached: true });
  const exited = new Promise((done) => child.once('exit', done));
  let screen = '';
  child.stdout.on('data', (data) => {
    screen += data;
  });
  return {
    type: (keys) => child.stdin.write(keys),
    async until(pattern) {
      for (const end = Date.now() + 120_000; Date.now() < end; await setTimeout(20)) {
        const text = stripVTControlCharacters(screen).replaceAll('\r', '');
        if (!pattern.test(text)) continue;
        screen = '';
        return text;
      }
      throw new Error(`${pattern} never came; the screen has ${JSON.stringify(screen)}`);
    },
    async [Symbol.asyncDispose]() {
      endGroup(child);
      await exited;
    },
  };
}

/** Nothing is left to end once the command has ended by itself. */
function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
}
