/** Starts an emulator: one account, its servers on loopback, and its controls. */

import { existsSync } from 'node:fs';
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { writeOutputFile } from '../base/files/outputFile.ts';
import { readTextFile } from '../base/files/textFile.ts';
import { writeWholeFile } from '../base/files/wholeFile.ts';
import { parsedJson } from '../base/values/plain.ts';
import { type Account, type AccountInput, accountSchema } from './account/account.ts';
import { parseOrThrow } from './account/accountFile.ts';
import { collectorRoutes } from './areas/collectors.ts';
import { datasetRoutes } from './areas/datasets.ts';
import { managerRoutes } from './areas/managerRoutes.ts';
import { createNativeProxy } from './areas/nativeProxy.ts';
import { openAccountRoutes } from './areas/openAccount.ts';
import { requestRoute } from './areas/proxiedRequests.ts';
import { zoneRoutes } from './areas/zones.ts';
import { registerAdmin } from './controls/admin.ts';
import { type Controls, createControls } from './controls/controls.ts';
import { anyCall, FaultBook } from './core/faults.ts';
import { type Role, roles } from './core/permissions.ts';
import { createWorld, secretsOf, type World, worldAccount } from './core/world.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { Emulation } from './http/exchange.ts';
import { answeredLine, type LoggedRequest, RequestHistory } from './http/requestLog.ts';
import type { Route } from './http/route.ts';
import { createServer, listen } from './http/server.ts';

export interface EmulatorOptions {
  /** Port of the API and the admin route. Default 0: any free one. */
  port?: number;
  /** Port of the local proxy manager. Default 0: any free one. */
  managerPort?: number;
  /** Port of the native proxy; 0 for any free one. Default: no native proxy. */
  proxyPort?: number | undefined;
  /** Address to listen on; loopback by default. */
  host?: string;
  /** File that keeps the state across restarts. If it exists, it determines the state instead of the account. */
  stateFile?: string | undefined;
  /** Clock for the expiry of keys and the lag of listings. */
  clock?: () => Date;
  /** Receives a line of JSON for each request, without keys and passwords. */
  log?: ((line: string) => void) | undefined;
}

/** A running emulator, with methods that make changes which no client makes. */
export interface Emulator extends Controls {
  /** Base URL of the API, without a trailing slash: `http://127.0.0.1:41234`. */
  readonly apiUrl: string;
  /** Base URL of the local proxy manager. */
  readonly managerUrl: string;
  /** Base URL of the native proxy, without credentials; undefined if there is none. */
  readonly proxyUrl: string | undefined;
  /** Current bearer token of each role. */
  readonly keys: Readonly<Record<Role, string>>;
  /** Closes all connections, saves the state and frees the ports. */
  close(): Promise<void>;
}

/** Starts the emulator for an account from `readAccount` or from code. */
export async function startEmulator(account: AccountInput, options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, managerPort = 0, proxyPort, host = '127.0.0.1', clock = () => new Date() } = options;
  const closing = new AbortController();
  const started = await withState(parseOrThrow(accountSchema, account), options.stateFile);
  const world = createWorld(started, clock, closing.signal);
  const { log: write } = options;
  const onComplete = write && ((entry: LoggedRequest) => write(`${answeredLine(entry)}\n`));
  const emulation: Emulation = {
    world,
    faults: new FaultBook(),
    log: new RequestHistory(() => secretsOf(world), onComplete),
    save: stateKeeper(world, options.stateFile),
    closing: closing.signal,
    reads: { count: 0 },
  };

  const routes = routesOf(world.dialect);
  const controls = createControls(emulation, [...new Set(routes.map(({ name }) => name)), anyCall]);
  const api = createServer('api', routes, emulation);
  const manager = createServer('manager', routes, emulation);
  const proxy = createNativeProxy(emulation);
  registerAdmin(api, controls, emulation.save);

  const close = async () => {
    closing.abort();
    await Promise.all([api.close(), manager.close(), proxy.close()]);
    await world.deliveries.ended();
    await emulation.save();
  };
  try {
    await emulation.save();
    const [apiUrl, managerUrl] = [await listen(api, host, port), await listen(manager, host, managerPort)];
    const proxyUrl = proxyPort === undefined ? undefined : await proxy.listen(host, proxyPort);
    return { ...controls, apiUrl, managerUrl, proxyUrl, keys: liveKeys(world), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

interface Ready extends Pick<Emulator, 'apiUrl' | 'managerUrl' | 'proxyUrl' | 'keys'> {
  /** The variables that lead commands to the emulator. */
  variables?: Readonly<Record<string, string>>;
}

/** Writes the URLs and keys of the emulator to a file for waiting programs, readable by its owner only. */
export async function writeReadyFile(ready: Ready, file: string): Promise<void> {
  const { apiUrl, managerUrl, proxyUrl, keys, variables } = ready;
  const document = { apiUrl, managerUrl, proxyUrl, keys, variables };
  await writeOutputFile(file, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
}

/** Returns all routes of the service. */
function routesOf(dialect: Dialect): Route[] {
  return [
    requestRoute,
    ...zoneRoutes(),
    ...collectorRoutes(),
    ...(dialect.accountRoutes ? openAccountRoutes() : []),
    ...datasetRoutes(dialect),
    ...managerRoutes(dialect),
  ];
}

/** Returns the current keys. The properties are getters, because a refresh changes them, and enumerable, so that they can be serialized. */
function liveKeys({ keyring }: World): Record<Role, string> {
  const getters = roles.map((role) => [role, { enumerable: true, get: () => keyring.ofRole(role).value }] as const);
  return Object.defineProperties({}, Object.fromEntries(getters)) as Record<Role, string>;
}

/**
 * Returns the account with the values of its state file, if there is one: users, keys, zones with their IPs, and the manager's settings and ports. The
 * file is an account in JSON. Only its owner may read it, because it contains keys and passwords. @throws ProblemError
 */
async function withState(account: Account, file: string | undefined): Promise<Account> {
  if (file === undefined || !existsSync(file)) return account;
  const { success, data: state } = accountSchema.safeParse(parsedJson(await readTextFile(file)));
  if (!success || state.id !== account.id) throw new ProblemError([foreignState(file, account.id)]);
  const { users, apiKeys, zones } = state;
  const { ports, settings } = state.manager;
  return { ...account, users, apiKeys, zones, manager: { ...account.manager, ports, settings } };
}

/** Returns a function that resolves when all changes so far are on disk. Without a file, nothing is kept. */
function stateKeeper(world: World, file: string | undefined): () => Promise<void> {
  if (file === undefined) return async () => undefined;
  let written: Promise<void> = Promise.resolve();
  const write = () => writeWholeFile(file, `${JSON.stringify(worldAccount(world))}\n`, { mode: 0o600 });
  return () => {
    written = written.then(write, write);
    return written;
  };
}

function foreignState(file: string, account: string): Problem {
  return {
    code: 'foreign-state',
    found: `${file} does not hold the state of account ${account}`,
    allowed: 'a state file that the emulator wrote for this account',
    fix: 'use another state file, or delete this one to start again from the account file',
  };
}
