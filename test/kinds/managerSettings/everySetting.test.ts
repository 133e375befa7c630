/** Every setting of the one table goes all the way: declaration, plan file, call, manager, read-back and documentation. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SettingName, settingNames, settingOf } from '../../../src/client/areas/manager/settings.ts';
import { updateSettings } from '../../../src/kinds/managerSettings/calls/updateSettings.ts';
import { accountWith, openHarness, serviceYaml } from '../../cli/harness.ts';

/** For each type, a value that is no example of the table. */
const otherValues = { text: 'another', count: 7, flag: false, addresses: ['10.99.0.1'] };

describe.each(settingNames)('%s', (name: SettingName) => {
  const { wire, type, example, description } = settingOf(name);
  const { [type]: other } = otherValues;

  it('is planned to a file, applied from it, and read back', async () => {
    await using harness = await openHarness(await accountWith('plain', () => undefined));
    harness.emulator.setSettings({ [wire]: other });
    await harness.write(
      'webdata.yaml',
      `${serviceYaml('plain')}managerSettings: { local: ${JSON.stringify({ [name]: example })} }\n`,
    );
    expect(await harness.webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
    expect(await harness.webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(harness.emulator.settings()).toMatchObject({ [wire]: example });
    expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('makes calls differ', () => {
    const call = { type: 'updateSettings', manager: 'http://127.0.0.1:22999', before: {} } as const;
    expect(updateSettings.key({ ...call, settings: { [name]: example } })).not.toBe(
      updateSettings.key({ ...call, settings: { [name]: other } }),
    );
  });

  it('is documented', () => {
    const row = readFileSync('docs/declaration.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toContain(description);
  });
});
