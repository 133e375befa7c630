/** The built plugin as a process, without an engine: its memory, its start and its end. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { pluginMemory } from '../../../../bench/frame/pluginMemory.ts';
import { accountOf, inputsOf } from '../../../../bench/frame/pulumiProject.ts';
import { pluginExecutable, pluginFolder, pluginProgram } from '../../../../scripts/pulumi/plugin.ts';
import { parseAccount, startEmulator } from '../../../../src/emulator/index.ts';
import { eventually } from '../../../eventually.ts';

/** The measured peak is 133 to 161 MB on a busy machine. A plugin with the generated message classes takes 242 MB. */
const mostBytes = 180e6;

it('takes at most 180 MB for a resource of 20,000 IPs', async () => {
  const shape = { what: '', resources: 1, ips: 20_000 };
  const emulator = await startEmulator(parseAccount(accountOf(shape), 'account.yaml'), { port: 0, managerPort: 0 });
  const [inputs = {}] = inputsOf(shape);
  const type = 'webdata:index:ZoneIpAllocation';
  expect(await pluginMemory({ executable: pluginExecutable, type, settings: emulator, inputs })).toBeLessThan(
    mostBytes,
  );
  await emulator.close();
});

it('names the version of Node that it needs, under an older one', () => {
  const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', older, pluginProgram], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'pulumi-resource-webdata needs Node 22.19 or newer; this is 20.20.2.\n',
  });
});

it('keeps compiled code for its next start, although the engine kills it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-plugin-'));
  await cp(pluginFolder, folder, { recursive: true, filter: (path) => basename(path) !== 'compiled' });
  const plugin = spawn(process.execPath, [join(folder, basename(pluginProgram))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(plugin.stdout, 'data');
  const kept = () => readdirSync(join(folder, 'compiled'), { recursive: true, withFileTypes: true });
  await eventually(() => expect(kept().some((entry) => entry.isFile())).toBe(true));
  plugin.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

it('ends at once at SIGINT while nothing is written, even if a connection is never closed', async () => {
  const plugin = spawn(process.execPath, [pluginProgram], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(plugin.stdout, 'data');
  const session = http2.connect(`http://127.0.0.1:${String(port).trim()}`);
  session.on('error', () => {});
  const stream = session.request({ ':method': 'POST', ':path': '/pulumirpc.ResourceProvider/GetPluginInfo' });
  stream.on('error', () => {});
  await once(session, 'remoteSettings');
  plugin.kill('SIGINT');
  expect(await once(plugin, 'exit')).toEqual([0, null]);
  session.destroy();
});
