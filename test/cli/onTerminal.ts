/** Commands as on a terminal, in this process. `test/e2e/cli/terminalWidth.test.ts` compares them with the built program on a real one. */
import { run } from '../../src/cli/main.ts';
import { stateFolderOf } from '../stateFolder.ts';
import type { Harness } from './harness.ts';

/** Returns what the command shows on a terminal of this width, without colors. Progress is left out: it depends on how fast the machine is. */
export async function onTerminal(
  { emulator, folder }: Pick<Harness, 'emulator' | 'folder'>,
  columns: number,
  command: string,
): Promise<string> {
  const { apiUrl, managerUrl, keys } = emulator;
  let shown = '';
  const write = (text: string | Uint8Array) => (shown += Buffer.from(text));
  await run(command.split(' '), {
    stdout: { write, isTTY: true, columns },
    stderr: { write: () => undefined },
    env: {
      ...stateFolderOf(folder),
      NO_COLOR: '1',
      WEBDATA_API_URL: apiUrl,
      WEBDATA_API_KEY: keys.ops,
      WEBDATA_MANAGER_URL: managerUrl,
    },
    cwd: folder,
    signal: new AbortController().signal,
  });
  return withFixedPorts(shown, emulator);
}

/** The ports differ from run to run. */
export function withFixedPorts(text: string, { apiUrl, managerUrl }: Harness['emulator']): string {
  return text.replaceAll(apiUrl, 'http://127.0.0.1:22998').replaceAll(managerUrl, 'http://127.0.0.1:22999');
}
