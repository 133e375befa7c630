/** Kills `webdata emulator --state` while its account changes, and starts it again from its state file. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountInput, type Emulator, startEmulator } from '../../src/emulator/index.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { expected } from './checks.ts';
import { saidBy, startVictim, wasKilled } from './killed.ts';
import type { Kind, Played } from './kind.ts';
import { filePoints, type Point } from './points.ts';

export const emulatorState: Kind = {
  name: 'emulator state',
  holds:
    'the state file can be read, or does not exist yet; it contains every change that was answered; every IP is in one zone; further changes work; no other file is left behind',
  spanMs: 150,
  async boundaries(stage) {
    const folder = await mkdtemp(join(stage.folder, 'emulator-'));
    const list = join(stage.folder, 'emulator-operations');
    const { child, finished } = await changed(folder, undefined, list);
    child.kill('SIGKILL');
    await finished;
    return filePoints(list);
  },
  play: playState,
};

const key = 'key-of-the-crash-matrix-0123456789';
const account: AccountInput = {
  id: 'hl_crash',
  zones: { left: { ips: { us: ['198.18.0.1-198.18.0.4'] } }, right: { ips: {} } },
  users: ['root'],
  apiKeys: [{ value: key, user: 'root', permission: 'Admin' }],
  collectors: { c_prices: { seconds: 3600 } },
};

interface Change {
  /** The state after a change: the number of IPs left, jobs, and kept logs. */
  left: number;
  runs: number;
  logs: number;
  send(api: string, manager: string): Promise<Response>;
}

const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };

export const changes: readonly Change[] = [
  { left: 3, runs: 0, logs: 1000, send: (api) => migrate(api, 'left', 'right', 1) },
  { left: 3, runs: 1, logs: 1000, send: trigger },
  { left: 3, runs: 1, logs: 3, send: (_, manager) => put(manager, { logs: 3 }) },
  { left: 4, runs: 1, logs: 3, send: (api) => migrate(api, 'right', 'left', 1) },
  { left: 4, runs: 2, logs: 3, send: trigger },
  // Sent only after the kill: a write removes files that were left behind.
  { left: 4, runs: 3, logs: 3, send: trigger },
];

function migrate(api: string, from: string, to: string, ip: number): Promise<Response> {
  const body = JSON.stringify({ from, to, ips: [`198.18.0.${ip}`] });
  return fetch(`${api}/zone/ips/migrate`, { method: 'POST', headers, body });
}

function trigger(api: string): Promise<Response> {
  const body = JSON.stringify([{ url: 'https://shop.example.com' }]);
  return fetch(`${api}/dca/trigger?collector=c_prices`, { method: 'POST', headers, body });
}

function put(manager: string, settings: object): Promise<Response> {
  return fetch(`${manager}/api/settings`, { method: 'PUT', headers, body: JSON.stringify(settings) });
}

/** Starts the emulator. The URLs are empty if the emulator was killed before it listened. */
export async function startKeeping(folder: string, point?: Point, list?: string) {
  await writeFile(join(folder, 'account.json'), JSON.stringify(account));
  const victim = { cwd: folder, env: {}, under: folder };
  const args = ['emulator', '--account', 'account.json', '--manager-port', '0', '--state', 'state.json'];
  const running = startVictim(args, victim, point, list);
  const said = await saidBy(running, /WEBDATA_API_URL=(\S+)\n[\s\S]*WEBDATA_MANAGER_URL=(\S+)\n/);
  const [, api = '', manager = ''] = said ?? [];
  return { ...running, api, manager };
}

/** Makes one change after the other while the emulator answers, and returns the number of answers. */
async function changed(folder: string, point: Point | undefined, list?: string) {
  const { api, manager, ...running } = await startKeeping(folder, point, list);
  if (point?.at === 'instant') void sleep(point.ms).then(() => running.child.kill('SIGKILL'));
  let answered = 0;
  for (const { send } of api === '' ? [] : changes.slice(0, -1)) {
    const answer = await send(api, manager).catch(() => undefined);
    if (answer === undefined) break;
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}: ${await answer.text()}`);
    answered += 1;
  }
  return { ...running, answered };
}

async function playState(stage: CampaignStage, point: Point): Promise<Played> {
  const folder = await mkdtemp(join(stage.folder, 'emulator-'));
  const { child, finished, answered } = await changed(folder, point);
  await Promise.race([finished, sleep(2000)]);
  const isAlive = child.exitCode === null && child.signalCode === null;
  child.kill('SIGKILL');
  const killed = wasKilled(await finished) && !isAlive;
  const faults = await lookAgain(folder, answered);
  await rm(folder, { recursive: true });
  return { killed, faults };
}

/** Checks the state file in this process, and again after the remaining changes. */
export async function lookAgain(folder: string, answered: number): Promise<string[]> {
  const stateFile = join(folder, 'state.json');
  const faults = existsSync(stateFile) ? [] : expected('without a state file, changes that were answered', 0, answered);
  const next = await startEmulator(account, { stateFile });
  // The change that was in progress may have been stored or not.
  const had = changes.slice(answered, answered + 1).some((change) => isAfter(next, change)) ? answered + 1 : answered;
  faults.push(...expected(`after ${answered} changes`, stateAfter(had), stateOf(next)));
  for (const { send } of changes.slice(had)) await send(next.apiUrl, next.managerUrl);
  faults.push(...expected('after all changes', stateAfter(changes.length), stateOf(next)));
  await next.close();
  const kept = await startEmulator(account, { stateFile });
  faults.push(...expected('after another start', stateAfter(changes.length), stateOf(kept)));
  await kept.close();
  return [...faults, ...expected('files', ['account.json', 'state.json'], (await readdir(folder)).toSorted())];
}

interface State {
  ips: number[];
  runs: number;
  logs: number;
}

function stateAfter(count: number): State {
  const { left, runs, logs } = changes[count - 1] ?? { left: 4, runs: 0, logs: 1000 };
  return { ips: [left, 4 - left], runs, logs };
}

function stateOf(emulator: Emulator): State {
  const ips = ['left', 'right'].map((zone) => emulator.ips(zone).length);
  return { ips, runs: emulator.runs().length, logs: Number(emulator.settings().logs) };
}

function isAfter(emulator: Emulator, change: Change): boolean {
  return JSON.stringify(stateOf(emulator)) === JSON.stringify(stateAfter(changes.indexOf(change) + 1));
}
