/** Commands as a person sees them: real processes on a real terminal. */
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Harness } from './harness.ts';

export const hasTerminal = ['script', 'stty'].every(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0,
);

/** A declaration that moves IPs, changes settings and deletes a port on each account of the harness. */
export const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11], count: { us: 8, de: 2 } }
      pricing: { count: { us: 3, de: 4 } }
    spare: parked
managerSettings:
  local: { zone: checkout, whitelistIps: [10.0.0.0/8], logs: 500, absentPorts: [24010] }
`;

/** Runs the command in a terminal of this width, and returns what it shows. */
export async function onTerminal({ emulator, folder }: Harness, columns: number, command: string): Promise<string> {
  const { apiUrl, managerUrl, keys } = emulator;
  // Progress is on stderr, and depends on how fast the machine is.
  const line = `stty cols ${columns}; "${process.execPath}" "${resolve('src/cli/bin.ts')}" ${command} 2>/dev/null`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
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
  // The ports differ from run to run.
  return shown
    .replaceAll('\r\n', '\n')
    .replaceAll(apiUrl, 'http://127.0.0.1:22998')
    .replaceAll(managerUrl, 'http://127.0.0.1:22999');
}
