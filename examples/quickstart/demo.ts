/**
 * The main workflow, end to end, on the emulator: real commands of the built `webdata`, each shown before it runs. Everything happens
 * in a temporary folder. The emulator ends with the demo.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { showPulumi } from './demo/pulumi.ts';
import { showRuns, startSchedules } from './demo/schedules.ts';
import { type Env, echo, onStage, readText, type Stage, say, serve, until, webdata } from './demo/stage.ts';

interface Ready {
  apiUrl: string;
  managerUrl: string;
  keys: { ops: string };
}

async function demo(stage: Stage): Promise<void> {
  for (const name of ['account.yaml', 'webdata.yaml', 'delivery.yaml', 'schedule.yaml'])
    copyFileSync(join('examples/quickstart', name), join(stage.folder, name));
  say('The service, emulated on loopback: eight zones with 339 static IPs, a proxy manager, and a collector.');
  serve(stage, {}, 'emulator', '--account', 'account.yaml', '--manager-port', '0', '--ready-file', 'ready.json');
  const { apiUrl, managerUrl, keys } = await readyFile(stage);
  const env = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_MANAGER_URL: managerUrl };
  await showAccount(stage, env);
  const scheduled = await startSchedules(stage, env);
  await showPulumi(stage, env);
  await showRuns(stage, scheduled);
  say('Done. All of this ran on the emulator; nothing left this machine.');
}

async function showAccount(stage: Stage, env: Env): Promise<void> {
  const run = (expected: number, ...args: string[]) => webdata(stage, env, expected, ...args);
  say('webdata.yaml declares which IPs each zone holds, and how the manager is configured. Is it valid?');
  await run(0, 'validate');
  say('What would change?');
  await run(0, 'plan');
  say('Apply it.');
  await run(0, 'apply', '--yes');
  say('Does the live account match the declaration? (exit code 0)');
  await run(0, 'drift');
  say('A colleague moves an IP manually, without the tool.');
  await moveByHand(env.WEBDATA_API_URL ?? '', '198.18.1.10', 'pricing');
  say('The nightly drift check finds it. (exit code 2)');
  await run(2, 'drift');
  say('Fix it.');
  await run(0, 'apply', '--yes');
  say('The journal shows what was done.');
  await run(0, 'history');
  say('The manual change was right after all: undo the last run.');
  await run(0, 'undo', '--yes');
}

async function readyFile(stage: Stage): Promise<Ready> {
  const text = await until(stage, 'the emulator listens', () => readText(join(stage.folder, 'ready.json')));
  return JSON.parse(text);
}

/** A route of the emulator only, outside the service's paths. */
async function moveByHand(apiUrl: string, ip: string, to: string): Promise<void> {
  const body = JSON.stringify({ ips: [ip], to });
  echo(`curl -X POST ${apiUrl}/_emulator/ips/move -H 'content-type: application/json' -d '${body}'`);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${apiUrl}/_emulator/ips/move`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the emulator answered ${answer.status}: ${await answer.text()}`);
}

await onStage(
  'The main workflow of webdata, on an emulator: plan, apply, drift, undo, schedules and Pulumi. About half a minute.',
  demo,
);
