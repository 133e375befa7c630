/** The world that campaigns play in: an account on an emulator, a folder, and whole commands in this process. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../src/cli/main.ts';
import type { ExitCode, Io } from '../../src/cli/output/io.ts';
import { type AccountInput, type Emulator, startEmulator } from '../../src/emulator/index.ts';

export interface CommandResult {
  code: ExitCode;
  stdout: string;
  stderr: string;
  /** Both outputs, as they came. */
  text: string;
}

export interface World extends AsyncDisposable {
  emulator: Emulator;
  folder: string;
  /** The URLs and the key with which commands and programs reach the account. */
  env: Readonly<Record<string, string>>;
  write(name: string, text: string): Promise<void>;
  webdata(...args: string[]): Promise<CommandResult>;
}

/** @param parent the folder for the folder of the world, which is removed in the end */
export async function openWorld(parent: string, account: AccountInput): Promise<World> {
  const emulator = await startEmulator(account);
  const folder = await mkdtemp(join(parent, 'world-'));
  const env = {
    ...machineBeside(folder),
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
  };
  return {
    emulator,
    folder,
    env,
    write: (name, text) => writeFile(join(folder, name), text),
    webdata: (...args) => command(args, { cwd: folder, env }),
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes an account the only one of its machine: its ports were those of other accounts before. */
export function machineBeside(folder: string): { WEBDATA_STATE_FOLDER: string } {
  return { WEBDATA_STATE_FOLDER: `${folder}-machine` };
}

/** Runs a command in this process. An output in `io` takes the place of that in the result. */
export async function command(
  args: readonly string[],
  io: Pick<Io, 'cwd' | 'env'> & Partial<Io>,
): Promise<CommandResult> {
  const said = { stdout: '', stderr: '', text: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write(more: string | Uint8Array) {
      const text = Buffer.from(more).toString();
      said[name] += text;
      said.text += text;
    },
  });
  const signal = new AbortController().signal;
  const code = await run(args, { signal, stdout: output('stdout'), stderr: output('stderr'), ...io });
  return { code, ...said };
}
