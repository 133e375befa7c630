/** The environment of a cell: the emulator and a trigger service, a gateway before each peer, and its own folder. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountInput, type Emulator, startEmulator } from '../../src/emulator/index.ts';
import { openServing, owner, type Serving, token } from '../../test/triggers/serving.ts';
import { command, machineBeside } from '../frame/world.ts';
import type { Peer } from './calls.ts';
import { type Gateway, openGateway } from './gateway.ts';

/** The servers behind the gateways. Cells that only read share them. */
export interface Backend extends AsyncDisposable {
  emulator: Emulator;
  serving: Serving;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CellWorld extends AsyncDisposable {
  backend: Backend;
  gateways: Readonly<Record<Peer, Gateway>>;
  folder: string;
  env: Record<string, string>;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  webdata(...args: string[]): Promise<Ended>;
}

export interface Surroundings {
  /** The parent of the folders. */
  folder: string;
  /** The target of redirects. */
  elsewhere: string;
  /** URL of a receiver that accepts every alert. */
  receiver: string;
}

export async function openBackend(account: AccountInput): Promise<Backend> {
  const [emulator, serving] = await Promise.all([startEmulator(account), openServing()]);
  return {
    emulator,
    serving,
    async [Symbol.asyncDispose]() {
      await Promise.all([emulator.close(), serving[Symbol.asyncDispose]()]);
    },
  };
}

export async function openCellWorld(
  backend: Backend,
  { folder: parent, elsewhere, receiver: receiverUrl }: Surroundings,
): Promise<CellWorld> {
  const { emulator, serving } = backend;
  const folder = await mkdtemp(join(parent, 'cell-'));
  const open = (peer: Peer, upstream: string) => openGateway({ peer, upstream, elsewhere });
  const [api, manager, triggers, receiver] = await Promise.all([
    open('api', emulator.apiUrl),
    open('manager', emulator.managerUrl),
    open('triggers', serving.url),
    open('receiver', receiverUrl),
  ]);
  const env: Record<string, string> = {
    ...machineBeside(folder),
    WEBDATA_API_URL: api.url,
    WEBDATA_API_KEY: emulator.keys.admin,
    WEBDATA_MANAGER_URL: manager.url,
    WEBDATA_TRIGGERS_URL: triggers.url,
    WEBDATA_TRIGGERS_TOKEN: token,
  };
  return {
    backend,
    gateways: { api, manager, triggers, receiver },
    folder,
    env,
    write: (name, text) => writeFile(join(folder, name), text),
    read: (name) => readFile(join(folder, name), 'utf8'),
    webdata: (...args) => command(args, { cwd: folder, env }),
    async [Symbol.asyncDispose]() {
      await Promise.all([api, manager, triggers, receiver].map((gateway) => gateway.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the part of the live state that commands can change. */
export async function liveState({ emulator, serving }: Backend): Promise<string> {
  const { zones, manager } = emulator.state();
  const places = Object.keys(zones ?? {}).map((zone) => [zone, emulator.ips(zone).toSorted()]);
  const { deliveries, schedules } = await serving.registry.records(owner);
  const records = [...deliveries, ...schedules].map(({ name, spec }) => [name, withoutSeals(spec)]);
  return JSON.stringify({ places, settings: emulator.settings(), ports: manager?.ports, records }, null, 1);
}

/** Removes sealed secrets, which differ each time. */
function withoutSeals(spec: unknown): unknown {
  return JSON.parse(JSON.stringify(spec, (key, value: unknown) => (key === 'sealed' ? true : value)));
}
