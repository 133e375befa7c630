/** A machine of a team: a folder, a home, locks and temporary files of its own, and a clock that is hours off. */
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
  /** Draws the error of its clock; without it, the clock is right. */
  random?: () => number,
): Promise<Machine> {
  const root = await mkdtemp(join(under, `${name}-`));
  const [cwd, home, temporary] = [join(root, 'infra'), join(root, 'home'), join(root, 'tmp')];
  await Promise.all([cwd, home, temporary].map((folder) => mkdir(folder)));
  await writeFile(join(cwd, 'webdata.yaml'), declaration);
  const hours = random === undefined ? 0 : 24 * (random() - 0.5);
  const own = {
    ...env,
    HOME: home,
    TMPDIR: temporary,
    WEBDATA_STATE_FOLDER: join(temporary, 'locks'),
    MACHINE_NAME: name,
    MACHINE_CLOCK_MS: String(Math.round(hours * 3_600_000)),
    NODE_OPTIONS: `--import=${preload}`,
  };
  const begin = (...args: string[]) => start(args, { cwd, env: own });
  return { name, cwd, env: own, start: begin, run: (...args) => begin(...args).finished };
}
