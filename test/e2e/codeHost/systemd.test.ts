/** The units for systemd: checked by systemd itself where it is installed, and their commands started. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { start } from '../process.ts';

const units = ['webdata-triggers.service', 'webdata-receive.service', 'webdata-round.timer', 'webdata-round.service'];

const program = '/usr/bin/env webdata';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-systemd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the arguments of a unit's command, with a folder in place of its state. */
function commandOf(unit: string, folder: string): string[] {
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(readFileSync(`ci/systemd/${unit}`, 'utf8')) ?? [];
  expect(line.startsWith(`${program} `)).toBe(true);
  return line
    .slice(program.length + 1)
    .replaceAll('/srv/webdata', folder)
    .split(' ');
}

function environment(folder: string): Record<string, string> {
  const lines = readFileSync('ci/systemd/webdata.env', 'utf8').replaceAll('/srv/webdata', folder).split('\n');
  const pairs = lines
    .filter((line) => /^\w/.test(line))
    .map((line) => [line.split('=', 1)[0] ?? '', line.replace(/^\w+=/, '')]);
  return Object.fromEntries(pairs);
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd)('the units are accepted by systemd, without a remark', () => {
  const folder = temporaryFolder();
  for (const unit of units) {
    writeFileSync(join(folder, unit), readFileSync(`ci/systemd/${unit}`, 'utf8'));
  }
  const options = { encoding: 'utf8', env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' } } as const;
  const { stdout, stderr, status } = spawnSync(
    'systemd-analyze',
    ['verify', ...units.map((unit) => join(folder, unit))],
    options,
  );
  expect({ status, remarks: (stdout + stderr).split('\n').filter((line) => line.includes(folder)) }).toEqual({
    status: 0,
    remarks: [],
  });
});

it.each([
  'webdata-triggers.service',
  'webdata-receive.service',
])('%s starts a server, which ends on SIGTERM', async (unit) => {
  const folder = temporaryFolder();
  const running = start([...commandOf(unit, folder), '--port', '0'], { cwd: folder, env: environment(folder) });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const said = await Promise.race([once(running.child.stdout ?? process.stdin, 'data'), running.finished]);
  const [url = ''] = /http:\/\/[^\s/,]+/.exec(String(said)) ?? [];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  running.child.kill('SIGTERM');
  expect(await running.finished).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual([unit === 'webdata-receive.service' ? 'deliveries' : 'triggers.db']);
});
