/** The processes of the soak: three servers and a client, each with a log file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webdata } from '../../bench/frame/process.ts';
import type { CampaignStage } from '../frame/campaign.ts';

export interface Started {
  name: string;
  child: ChildProcess;
  /** Its first output. */
  said: string;
  /** Returns the lines of its log. */
  log(): string[];
}

type Env = Readonly<Record<string, string>>;

/** Starts a process and waits for its first output. @throws Error if it ends before */
export async function begin(stage: CampaignStage, name: string, argv: readonly string[], env: Env): Promise<Started> {
  const file = join(stage.folder, `${name}.log`);
  const stderr = openSync(file, 'w');
  const [command = '', ...args] = argv;
  const child = spawn(command, args, {
    cwd: stage.folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['pipe', 'pipe', stderr],
  });
  closeSync(stderr);
  stage.keep(child);
  const log = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const [said] = await Promise.race([child.stdout === null ? [] : once(child.stdout, 'data'), once(child, 'exit')]);
  if (!Buffer.isBuffer(said)) throw new Error(`${name} ended before it listened:\n${log().join('\n')}`);
  return { name, child, said: String(said), log };
}

export interface Servers {
  emulator: Started;
  receiver: Started;
  triggers: Started;
  apiUrl: string;
  triggersUrl: string;
  /** The addresses and the key of the service. */
  env: Env;
  proxyUrl: string;
  endpoint: string;
}

export const soakToken = 'soak-token';

export async function beginServers(stage: CampaignStage, account: string): Promise<Servers> {
  const ready = (name: string) => join(stage.folder, `${name}.json`);
  const read = (name: string) => JSON.parse(readFileSync(ready(name), 'utf8'));
  const HOOK_AUTHORIZATION = 'Bearer soak-hook';
  const free = ['--port', '0'];
  const emulator = await begin(
    stage,
    'emulator',
    [
      ...webdata,
      'emulator',
      '--account',
      account,
      ...free,
      '--manager-port',
      '0',
      '--proxy-port',
      '0',
      '--ready-file',
      ready('emulator'),
    ],
    {},
  );
  const { apiUrl, managerUrl, proxyUrl, keys } = read('emulator');
  const receiving = [
    ...webdata,
    'receive',
    '--folder',
    'deliveries',
    '--authorization-env',
    'HOOK_AUTHORIZATION',
    ...free,
  ];
  const receiver = await begin(stage, 'receiver', receiving, { HOOK_AUTHORIZATION });
  const endpoint = /^Receiving at (\S+),/m.exec(receiver.said)?.[1] ?? '';
  const env = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_MANAGER_URL: managerUrl };
  const triggers = await begin(
    stage,
    'triggers',
    [
      ...webdata,
      'triggers',
      'serve',
      '--allow-private-endpoints',
      '--secret-for',
      `HOOK_AUTHORIZATION=${new URL(endpoint).origin}`,
      ...free,
      '--ready-file',
      ready('triggers'),
    ],
    { ...env, HOOK_AUTHORIZATION, WEBDATA_TRIGGERS_TOKEN: soakToken },
  );
  return { emulator, receiver, triggers, apiUrl, triggersUrl: read('triggers').url, env, proxyUrl, endpoint };
}
