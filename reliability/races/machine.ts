/** A machine of a team: a folder, a home, locks and temporary files of its own, and a clock that may be wrong. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finished, type Running, start } from '../../test/e2e/process.ts';

export interface Machine {
  name: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  start(...args: string[]): Running;
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Finished>;
}

const preload = join(import.meta.dirname, 'machine.mjs');

export async function newMachine(
  under: string,
  name: string,
  declaration: string,
  env: Readonly<Record<string, string>>,
  /** The error of its clock. */
  clockMs = 0,
): Promise<Machine> {
  const root = await mkdtemp(join(under, `${name}-`));
  const [cwd, home, temporary] = [join(root, 'infra'), join(root, 'home'), join(root, 'tmp')];
  await Promise.all([cwd, home, temporary].map((folder) => mkdir(folder)));
  await writeFile(join(cwd, 'webdata.yaml'), declaration);
  const own = {
    HOME: home,
    TMPDIR: temporary,
    WEBDATA_STATE_FOLDER: join(temporary, 'locks'),
    MACHINE_NAME: name,
    MACHINE_CLOCK_MS: String(clockMs),
    NODE_OPTIONS: `--import=${preload}`,
    ...env,
  };
  const begin = (...args: string[]) => start(args, { cwd, env: own });
  return { name, cwd, env: own, start: begin, run: (...args) => begin(...args).finished };
}

/** Draws an error of hours. */
export function hoursOff(random: () => number): number {
  return Math.round(24 * 3_600_000 * (random() - 0.5));
}
