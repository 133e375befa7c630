/**
 * The real cron and systemd of a machine run what is exported for them. A machine without one has no test of it: CI has a cron, and no
 * container has the systemd of a user.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportTicks } from '../../../src/features/export/exportTicks.ts';
import { eventually } from '../../eventually.ts';
import { schedule } from '../../features/export/exportSamples.ts';
import { temporaryFolder } from '../../temporary.ts';

describe('a scheduler of this machine', () => {
  it('is there in CI', () => {
    expect(process.env.CI === undefined || hasCron()).toBe(true);
  });

  if (hasCron()) {
    it('runs the command of an exported line: cron', async () => {
      const { folder, environmentFile, expectRun } = await scene();
      const [file] = exportTicks([schedule('100% now', '* * * * *')], 'crontab', { environmentFile });
      await writeFile(join(folder, 'crontab'), file?.text ?? '');
      onTestFinished(() => void spawnSync('crontab', ['-r']));
      execFileSync('crontab', [join(folder, 'crontab')]);
      await expectRun('triggers fire-tick --owner acme --tick now -- 100% now\n');
    });
  }

  if (hasSystemd()) {
    it('starts the service of an exported timer: systemd', async () => {
      const { folder, environmentFile, expectRun } = await scene();
      const options = { environmentFile, program: join(folder, 'webdata') };
      const files = exportTicks(
        [schedule('100% now', { everyMs: 1000 }, { owner: 'export test' })],
        'systemd',
        options,
      );
      const units = join(process.env.XDG_RUNTIME_DIR ?? '', 'systemd/user');
      const control = (...args: string[]) => execFileSync('systemctl', ['--user', ...args]);
      await mkdir(units, { recursive: true });
      const timer = files.find(({ file }) => file.endsWith('.timer'))?.file ?? '';
      onTestFinished(async () => {
        control('stop', timer);
        for (const { file } of files) await rm(join(units, file), { force: true });
        control('daemon-reload');
      });
      for (const { file, text } of files) await writeFile(join(units, file), text);
      control('daemon-reload');
      control('start', timer);
      await expectRun('triggers fire-tick --owner export test --tick now -- 100% now\n');
    });
  }
});

/** A `webdata` that keeps what it was last called with, and an environment in which it is found. */
async function scene() {
  const folder = temporaryFolder();
  const [environmentFile, kept] = [join(folder, 'environment'), join(folder, 'ran')];
  await writeFile(environmentFile, `PATH='${folder}:/usr/bin:/bin'\n`);
  await writeFile(join(folder, 'webdata'), `#!/bin/sh\necho "$*" > '${kept}'\n`, { mode: 0o755 });
  const expectRun = (words: string) => eventually(async () => expect(await readFile(kept, 'utf8')).toBe(words));
  return { folder, environmentFile, expectRun };
}

/** Not where somebody's own crontab would be in the way. */
function hasCron(): boolean {
  const running = spawnSync('ps', ['-eo', 'comm'], { encoding: 'utf8' }).stdout ?? '';
  return /^(cron|crond)$/m.test(running) && spawnSync('crontab', ['-l'], { encoding: 'utf8' }).status === 1;
}

function hasSystemd(): boolean {
  const state = spawnSync('systemctl', ['--user', 'is-system-running'], { encoding: 'utf8' }).stdout ?? '';
  return /^(running|degraded)$/.test(state.trim());
}
