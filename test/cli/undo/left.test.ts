/** An undo restores everything, or names what it leaves and does not count as one. */
import { expect, it } from 'vitest';
import { openDeclared } from '../harness.ts';

async function openApplied(settings: string) {
  const harness = await openDeclared('plain', `managerSettings: { local: { ${settings} } }\n`);
  harness.emulator.setSettings({ zone: 'pricing', logs: 1000 });
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  // The journal as it is where the manager's answer had `zone: null`.
  const journal = await harness.read('.webdata/journal.jsonl');
  await harness.write('.webdata/journal.jsonl', journal.replace(/"zone":"pricing",?/, ''));
  return harness;
}

const left = 'zone was not set before the run and stays at "checkout"';

it('names a setting that was not set before, beside what it restores', async () => {
  await using harness = await openApplied('zone: checkout, logs: 500');
  const { webdata, emulator } = harness;
  const undo = await webdata('undo', '--yes');
  expect([undo.code, undo.stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(left)]);
  expect(emulator.settings()).toMatchObject({ logs: 1000, zone: 'checkout' });
  const { runs } = JSON.parse((await webdata('history', '--format', 'json')).stdout);
  expect(runs).toMatchObject([{ command: 'undo', result: 'failed' }, { command: 'apply' }]);
  const again = await webdata('undo', '--yes');
  expect([again.code, again.stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(left)]);
});

it('names the settings of a run that set nothing else', async () => {
  await using harness = await openApplied('zone: checkout');
  const undo = await harness.webdata('undo', '--yes');
  expect([undo.code, undo.stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(left)]);
});
