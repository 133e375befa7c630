/**
 * The main job, end to end, on the emulator: real commands of the built `webdata`, each shown before it runs. Everything happens
 * in a temporary folder, and the emulator is ended with it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { styleText } from 'node:util';
import { pathWithEngine } from '../../scripts/pulumi/engine.ts';

interface Ready {
  apiUrl: string;
  managerUrl: string;
  keys: { ops: string };
}

const binary = resolve('dist/src/cli/bin.js');
const folder = mkdtempSync(join(tmpdir(), 'webdata-demo-'));

async function demo(): Promise<void> {
  cpSync('examples/quickstart', folder, { recursive: true });
  say('The service, emulated on loopback: eight zones with 339 static IPs, and a proxy manager.');
  const emulator = startEmulator();
  try {
    const { apiUrl, managerUrl, keys } = await readyFile();
    const env = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_MANAGER_URL: managerUrl };
    await show(env);
  } finally {
    emulator.kill();
    rmSync(folder, { recursive: true });
  }
}

async function show(env: Record<string, string>): Promise<void> {
  const webdata = (expected: number, ...args: string[]) => runWebdata(args, env, expected);
  say('webdata.yaml declares which IPs each zone holds, and how the manager is set. Is it sound?');
  webdata(0, 'validate');
  say('What would change?');
  webdata(0, 'plan');
  say('Make it so.');
  webdata(0, 'apply', '--yes');
  say('Is the live account as declared? (exit code 0)');
  webdata(0, 'drift');
  say('Somebody moves an IP by hand, behind the back of the tool.');
  await moveByHand(env.WEBDATA_API_URL ?? '', '198.18.1.10', 'pricing');
  say('The drift check of the night finds it. (exit code 2)');
  webdata(2, 'drift');
  say('Heal it.');
  webdata(0, 'apply', '--yes');
  say('What was done, from the journal.');
  webdata(0, 'history');
  say('Take the last run back, as it was no drift after all.');
  webdata(0, 'undo', '--yes');
  pulumiUp(env);
  say('Done. All of this ran on the emulator; nothing left this machine.');
}

function startEmulator(): ChildProcess {
  const args = ['emulator', '--account', 'account.yaml', '--manager-port', '0', '--ready-file', 'ready.json'];
  echo(`webdata ${args.join(' ')} &`);
  return spawn(process.execPath, [binary, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function readyFile(): Promise<Ready> {
  const file = join(folder, 'ready.json');
  for (let tries = 0; !existsSync(file); tries++) {
    if (tries === 100) throw new Error('the emulator was not ready within 10 s');
    await setTimeout(100);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

function runWebdata(args: readonly string[], env: Record<string, string>, expected: number): void {
  echo(`webdata ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [binary, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, FORCE_COLOR: process.stdout.isTTY ? '1' : undefined, ...env },
    stdio: 'inherit',
  });
  if (status !== expected) throw new Error(`webdata ${args[0]} ended with ${status}, and ${expected} was expected`);
}

/** The same declaration as a Pulumi program: the stack of Pulumi.yaml, with its state in the temporary folder. */
function pulumiUp(env: Record<string, string>): void {
  const path = pathWithEngine();
  if (path === undefined) {
    say('The same with Pulumi: there is no engine here. `npm run pulumi:install` builds one, then run this again.');
    return;
  }
  say('The same declaration as a Pulumi stack.');
  const backend = join(folder, 'pulumi');
  mkdirSync(backend);
  const config = Object.entries({ apiUrl: env.WEBDATA_API_URL, managerUrl: env.WEBDATA_MANAGER_URL });
  const settings = config.flatMap(([name, value]) => ['--config', `webdata:${name}=${value}`]);
  const stack = ['--stack', 'demo', '--config-file', join(folder, 'Pulumi.demo.yaml'), '--non-interactive'];
  const pulumi = (shown: string, ...args: string[]) => {
    echo(`pulumi ${shown}`);
    const { status } = spawnSync('pulumi', args, {
      env: {
        HOME: process.env.HOME,
        PATH: path,
        PULUMI_HOME: join(folder, 'pulumi-home'),
        PULUMI_BACKEND_URL: `file://${backend}`,
        PULUMI_CONFIG_PASSPHRASE: 'demo',
        PULUMI_SKIP_UPDATE_CHECK: 'true',
      },
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`pulumi ${args[0]} ended with ${status}`);
  };
  pulumi('stack init demo', 'stack', 'init', 'demo', '--non-interactive');
  pulumi('up --yes', 'up', '--yes', '--suppress-outputs', ...stack, ...settings);
  pulumi('preview --expect-no-changes', 'preview', '--expect-no-changes', '--suppress-outputs', ...stack, ...settings);
}

/** A route of the emulator only, outside the service's paths. */
async function moveByHand(apiUrl: string, ip: string, to: string): Promise<void> {
  const body = JSON.stringify({ ips: [ip], to });
  echo(`curl -X POST ${apiUrl}/_emulator/ips/move -H 'content-type: application/json' -d '${body}'`);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${apiUrl}/_emulator/ips/move`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the emulator answered ${answer.status}: ${await answer.text()}`);
}

function say(text: string): void {
  process.stdout.write(`\n${styleText('bold', `# ${text}`)}\n`);
}

function echo(command: string): void {
  process.stdout.write(`${styleText('cyan', `$ ${command}`)}\n`);
}

await demo();
