/** The files that start rounds: what they run plays a round. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openHarness } from '../../cli/harness.ts';
import { binary } from '../process.ts';

const crontabLine =
  readFileSync('ci/crontab', 'utf8')
    .split('\n')
    .find((line) => /^\*/.test(line)) ?? '';
const service = readFileSync('ci/systemd/webdata-round.service', 'utf8');

it.each([
  ['ci/crontab', crontabLine.split(' ').slice(5).join(' ')],
  [
    'ci/systemd/webdata-round.service',
    `cd /srv/webdata && set -a && . ./rounds.env && ${/^ExecStart=(.*)$/m.exec(service)?.[1]}`,
  ],
])('the command of %s plays a round', async (_, command) => {
  await using harness = await openHarness({ id: 'hl_1', collectors: { c_prices: { seconds: 0 } } });
  await harness.write(
    'webdata.yaml',
    'name: acme\ncollectorSchedules:\n  nightly: { collector: c_prices, every: 1d, inputs: [{ url: x }] }\ntriggers: { store: ./t.db }\n',
  );
  await harness.webdata('apply', '--yes');
  await harness.webdata('triggers', 'run-now', 'nightly', '--yes');
  const { apiUrl, keys } = harness.emulator;
  await writeFile(join(harness.folder, 'rounds.env'), `WEBDATA_API_URL='${apiUrl}'\nWEBDATA_API_KEY='${keys.ops}'\n`);
  const bin = join(harness.folder, 'webdata');
  await writeFile(bin, `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`, { mode: 0o755 });
  await promisify(execFile)('sh', ['-c', command.replace('/srv/webdata', harness.folder)], {
    env: { PATH: `${harness.folder}:${process.env.PATH}` },
  });
  const runs = await harness.webdata('triggers', 'runs', '--format', 'csv');
  expect(runs.stdout).toContain('running');
  expect(harness.emulator.runs()).toHaveLength(1);
});
