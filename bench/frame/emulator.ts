/** The service that both sides call: the emulator, in its own process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ground } from './benchmark.ts';
import { startServer, webdata } from './process.ts';

export interface RunningEmulator {
  apiUrl: string;
  managerUrl: string;
  keys: Readonly<Record<string, string>>;
  /** The environment variables that `webdata` and the floors read. */
  env: Readonly<Record<string, string>>;
  /** Calls an admin route: `admin('POST', 'faults', {…})`. */
  admin(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
}

/** Starts the emulator with the text of an account file. It ends with the benchmark. */
export async function startEmulator(stage: Ground, account: string): Promise<RunningEmulator> {
  const name = `emulator-${performance.now()}`;
  const [file, ready] = [join(stage.folder, `${name}.yaml`), join(stage.folder, `${name}.json`)];
  writeFileSync(file, account);
  await startServer(stage, [...webdata, 'emulator', '--account', file, '--manager-port', '0', '--ready-file', ready]);
  const where = JSON.parse(readFileSync(ready, 'utf8')) as Pick<RunningEmulator, 'apiUrl' | 'managerUrl' | 'keys'>;
  return {
    ...where,
    env: {
      WEBDATA_API_URL: where.apiUrl,
      WEBDATA_API_KEY: where.keys.admin ?? '',
      WEBDATA_MANAGER_URL: where.managerUrl,
    },
    admin: (method, path, body) => ask(`${where.apiUrl}/_emulator/${path}`, method, body),
  };
}

async function ask(url: string, method: string, body: unknown): Promise<unknown> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(url, { method, ...sent });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${said}`);
  return said === '' ? undefined : JSON.parse(said);
}
