/** Plans, drift, audits and diagnoses as on a terminal, at three widths. */
import { describe, expect, it } from 'vitest';
import { openHarness, serviceYaml } from '../harness.ts';
import { onTerminal } from '../onTerminal.ts';
import { declaration, goldenOf, separator, shownCases, usualWidth } from './shown.ts';

const impossible = declaration.replace('us: 3, de: 4', 'us: 3, de: 90');

describe('on a terminal', () => {
  describe.each(shownCases)('$name', (shown) => {
    describe.each(shown.accounts)('on the %s account', (account) => {
      it.each([60, usualWidth, 200])('at %i columns', async (columns) => {
        await using harness = await openHarness(account);
        await harness.write('webdata.yaml', shown.fileFor(account));
        const texts: string[] = [];
        for (const command of shown.commands) texts.push(await onTerminal(harness, columns, command));
        const text = texts.join(separator);
        if (columns === usualWidth) {
          await expect(shown.stable?.(text) ?? text).toMatchFileSnapshot(goldenOf(shown, account));
        }
        const fitting = shown.fitting?.(text) ?? text;
        for (const line of fitting.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      });
    });
  });

  it('drift suggests to apply changes that are only pending, and not to accept them', async () => {
    await using harness = await openHarness('plain');
    const settings = (logs: number) => `${serviceYaml('plain')}managerSettings: { local: { logs: ${logs} } }\n`;
    await harness.write('webdata.yaml', settings(500));
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await harness.write('webdata.yaml', settings(600));
    for (const command of ['drift', 'drift --pending']) {
      const text = await onTerminal(harness, 80, command);
      expect(text).toContain('1 difference is pending.\n\nNext: webdata apply');
      expect(text).not.toContain('--accept');
    }
    harness.emulator.setSettings({ logs: 7 });
    expect(await onTerminal(harness, 80, 'drift')).toMatch(/\nNext: webdata apply\n {6}webdata drift --accept {2}#/);
  });

  it('a plan that fails leads with the failure', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + impossible);
    const text = await onTerminal(harness, 80, 'plan');
    await expect(text).toMatchFileSnapshot('golden/plain-blocked.txt');
  });
});
