/** The built program on a real terminal shows what the same commands show in the process of the tests. */
import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Harness, openHarness } from '../../cli/harness.ts';
import { withFixedPorts } from '../../cli/onTerminal.ts';
import { goldenOf, separator, shownCases, usualWidth } from '../../cli/output/shown.ts';
import { stateFolderOf } from '../../stateFolder.ts';
import { binary } from '../process.ts';

const hasTerminal = ['script', 'stty'].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

describe.skipIf(!hasTerminal && process.env.CI === undefined)('on a real terminal', () => {
  describe.each(shownCases)('$name', (shown) => {
    it.each(shown.accounts)('on the %s account', async (account) => {
      await using harness = await openHarness(account);
      await harness.write('webdata.yaml', shown.fileFor(account));
      const texts: string[] = [];
      for (const command of shown.commands) texts.push(await onRealTerminal(harness, command));
      const text = texts.join(separator);
      await expect(shown.stable?.(text) ?? text).toMatchFileSnapshot(goldenOf(shown, account));
    });
  });
});

/** Runs the built `webdata` in a terminal of this width, and returns what it shows. */
async function onRealTerminal({ emulator, folder }: Harness, command: string): Promise<string> {
  const { apiUrl, managerUrl, keys } = emulator;
  // Progress is on stderr, and depends on how fast the machine is.
  const line = `stty cols ${usualWidth}; "${process.execPath}" "${binary}" ${command} 2>/dev/null`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...stateFolderOf(folder),
      NODE_NO_WARNINGS: '1',
      NO_COLOR: '1',
      WEBDATA_API_URL: apiUrl,
      WEBDATA_API_KEY: keys.ops,
      WEBDATA_MANAGER_URL: managerUrl,
    },
  });
  let shown = '';
  child.stdout.on('data', (data) => (shown += data));
  await new Promise((done) => child.on('close', done));
  return withFixedPorts(shown.replaceAll('\r\n', '\n'), emulator);
}
