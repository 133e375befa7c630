/** Every example program runs as it stands: its first update, and nothing to do after it. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAccount, startEmulator } from '../../../src/emulator/index.ts';
import { openServing, token } from '../../triggers/serving.ts';
import { describeOnEngine, linkModules, runPulumi } from './harness.ts';

const examples = [
  { name: 'quickstart', stack: 'dev' },
  { name: 'production', stack: 'production' },
  { name: 'dev-and-prod', stack: 'dev' },
  { name: 'dev-and-prod', stack: 'prod' },
  { name: 'outputs', stack: 'dev' },
  { name: 'firewall', stack: 'dev' },
  { name: 'schedules', stack: 'dev' },
];

describeOnEngine('the example programs', () => {
  it.each(examples)('$name ($stack) runs', async ({ name, stack }) => {
    const emulator = await startEmulator(await readAccount(`examples/${name}/account.yaml`));
    await using serving = await openServing();
    const folder = await mkdtemp(join(tmpdir(), 'webdata-example-'));
    try {
      await copyExample(name, folder);
      const { apiUrl, managerUrl, keys } = emulator;
      const settings = { apiUrl, managerUrl, triggersUrl: serving.url, triggersToken: token };
      const config = Object.entries(settings).flatMap(([key, value]) => ['--config', `webdata:${key}=${value}`]);
      expect(await runPulumi(['stack', 'init', stack], folder)).toMatchObject({ code: 0 });
      await runPulumi(['config', 'set', '--secret', 'webdata:apiKey', '--', keys.ops], folder);

      const up = await runPulumi(['up', '--yes', '--skip-preview', ...config], folder);
      expect(up.output).toMatch(/\d created/);
      expect(up.code).toBe(0);
      const preview = await runPulumi(['preview', '--expect-no-changes', ...config], folder);
      expect(preview).toMatchObject({ code: 0 });
    } finally {
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The quickstart's project file stands at the top of the repository. */
async function copyExample(name: string, folder: string): Promise<void> {
  await mkdir(join(folder, 'backend'));
  await linkModules(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const isQuickstart = name === 'quickstart';
  if (isQuickstart) await cp('Pulumi.yaml', join(folder, 'Pulumi.yaml'));
  await cp(`examples/${name}`, isQuickstart ? join(folder, 'examples', name) : folder, { recursive: true });
}
