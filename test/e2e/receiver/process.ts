/** `webdata receive` as a real process, known to listen. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, start } from '../process.ts';

export interface ReceiverProcess extends Running {
  url: string;
}

/** Runs until it is killed; what it says on stdout before it listens is the first line. */
export async function startProcess(cwd: string, args: readonly string[], env = {}): Promise<ReceiverProcess> {
  const running = start(['receive', '--port', '0', ...args], { cwd, env });
  const said =
    running.child.stdout === null ? [] : await Promise.race([once(running.child.stdout, 'data'), running.finished]);
  const [url] = /http:\/\/\S+?\/(?=,)/.exec(String(said)) ?? [];
  if (url === undefined) throw new Error(`it does not listen: ${JSON.stringify(await running.finished)}`);
  return { ...running, url };
}

/** Stopped as a service manager would stop it. */
export async function stop({ child, finished }: Running) {
  child.kill('SIGTERM');
  return finished;
}

export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'webdata-receive-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
