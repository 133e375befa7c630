/** A recording of the workflow of the demo (`examples/quickstart/demo.ts`) in a terminal: real commands on the emulator. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/main.ts';
import { readAccount, startEmulator } from '../../src/emulator/index.ts';
import { Output } from './planned.ts';

/** One command with its output, with ANSI colors. */
export interface Scene {
  /** A line above the command, about what happened before. */
  remark?: string;
  command: string;
  output: string;
  /** For which the output is shown. */
  seconds: number;
}

interface Step extends Omit<Scene, 'output'> {
  code: number;
  movedByHand?: string;
}

/** Drift and undo are seen within ten seconds. */
const steps: readonly Step[] = [
  { command: 'webdata plan', code: 0, seconds: 2.4 },
  { command: 'webdata apply --yes', code: 0, seconds: 1 },
  {
    command: 'webdata drift',
    code: 2,
    remark: '# A colleague moves an IP in the control panel.',
    movedByHand: 'pricing',
    seconds: 1.8,
  },
  { command: 'webdata apply --yes', code: 0, remark: '# Put it back.', seconds: 1 },
  { command: 'webdata undo --yes', code: 0, remark: '# The colleague was right: undo.', seconds: 5 },
];

/** Addresses, times and IDs are replaced, so that the result is always the same. */
export async function recorded(declaration: string): Promise<Scene[]> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-pictures-'));
  const account = await readAccount('examples/quickstart/account.yaml');
  const emulator = await startEmulator(account, { port: 0, managerPort: 0 });
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
    FORCE_COLOR: '1',
  };
  const shown = (text: string) =>
    text
      .replaceAll(emulator.apiUrl, 'https://api.example.com')
      .replaceAll(emulator.managerUrl, 'http://127.0.0.1:22999');
  try {
    await writeFile(join(folder, 'webdata.yaml'), declaration);
    const scenes: Scene[] = [];
    for (const { command, code, movedByHand, ...step } of steps) {
      if (movedByHand !== undefined) emulator.move(['198.18.1.10'], movedByHand);
      const [stdout, stderr] = [new Output(), new Output()];
      const io = { stdout, stderr, env, cwd: folder, signal: new AbortController().signal };
      const ended = await run(command.split(' ').slice(1), io);
      if (ended !== code) throw new Error(`${command} exited with ${ended}:\n${stderr.text}`);
      scenes.push({ ...step, command, output: shown(stdout.text) });
    }
    return scenes;
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true });
  }
}
