/** An account on an emulator, a folder with a declaration, and the commands run on both, in this process. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/main.ts';
import type { ExitCode, Io } from '../../src/cli/output/io.ts';
import {
  type Account,
  type AccountInput,
  type Emulator,
  type EmulatorOptions,
  type LoggedRequest,
  readAccount,
  startEmulator,
} from '../../src/emulator/index.ts';
import { withoutDocsLines } from '../docsLines.ts';
import { stateFolderOf } from '../stateFolder.ts';

// In a mutation run, constants of a module that is loaded within a test would count as covered by that test, and by no other.
if (process.env.MUTATION_TESTS !== undefined) await Promise.all(Object.values(commands).map(({ load }) => load()));

export interface Result {
  code: ExitCode;
  stdout: string;
  stderr: string;
}

export interface Harness extends AsyncDisposable {
  emulator: Emulator;
  folder: string;
  /** Writes a file into the folder. */
  write(name: string, text: string | Uint8Array): Promise<void>;
  read(name: string): Promise<string>;
  /** Runs `webdata` in the folder with the emulator's URLs and, by default, the Ops key in its environment. */
  webdata(...args: string[]): Promise<Result>;
  /** The same with something else in the environment, an answer to the question, or a signal. */
  webdataWith(
    more: Partial<Pick<Io, 'cwd' | 'env' | 'confirm' | 'signal' | 'stdin'>>,
    ...args: string[]
  ): Promise<Result>;
}

export const accounts = {
  plain: 'examples/accounts/plain.yaml',
  odd: 'examples/accounts/odd.yaml',
  stranger: 'examples/accounts/stranger.yaml',
  open: 'examples/accounts/open.yaml',
} as const;
export type AccountName = keyof typeof accounts;

/** What an account needs in its profile. The stranger and the open one need none. */
const profiles: Record<AccountName, readonly string[]> = {
  plain: [],
  odd: [
    'geolocation: { first: atlas, others: [borealis, compass, daylight] }',
    'perCountrySwitch: { name: totals, value: country }',
    'manager: { ports: { route: /api/proxies_running } }',
  ],
  stranger: [],
  open: [],
};

/** Only the listings of the odd account lag. Nothing is gained by waiting for the others. */
const settleSecondsOf: Record<AccountName, number> = { plain: 0.1, odd: 2, stranger: 0.1, open: 0.1 };

/** The part of a declaration that has the profile. A test that waits for listings passes a time that ends only what hangs. */
export function serviceYaml(account: AccountName, settleSeconds = settleSecondsOf[account]): string {
  const lines = [`settleSeconds: ${settleSeconds}`, ...profiles[account]];
  return `service:\n  profile:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

export async function openHarness(
  account: AccountName | AccountInput,
  options: Pick<EmulatorOptions, 'clock'> = {},
): Promise<Harness> {
  const input = typeof account === 'string' ? await namedAccount(account) : account;
  const emulator = await startEmulator(input, options);
  const folder = await mkdtemp(join(tmpdir(), 'webdata-'));
  const state = stateFolderOf(folder);
  const env = {
    ...state,
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
  };

  async function webdataWith(
    more: Partial<Pick<Io, 'cwd' | 'env' | 'confirm' | 'signal' | 'stdin'>>,
    ...args: string[]
  ): Promise<Result> {
    const [stdout, stderr] = [new Lines(), new Lines()];
    const signal = more.signal ?? new AbortController().signal;
    const io: Io = { stdout, stderr, cwd: folder, signal, ...more, env: { ...env, ...more.env } };
    const code = await run(args, io);
    return { code, stdout: withoutDocsLines(stdout.text), stderr: withoutDocsLines(stderr.text) };
  }

  return {
    emulator,
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    read: (name) => readFile(join(folder, name), 'utf8'),
    webdata: (...args) => webdataWith({}, ...args),
    webdataWith,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await rm(folder, { recursive: true });
      await rm(state.WEBDATA_STATE_FOLDER, { recursive: true, force: true });
    },
  };
}

/** An account with this declared in its folder, on top of the part that says where the service is. */
export async function openDeclared(
  account: AccountName,
  declaration: string,
  { settleSeconds, ...options }: Pick<EmulatorOptions, 'clock'> & { settleSeconds?: number | undefined } = {},
): Promise<Harness> {
  const harness = await openHarness(account, options);
  await harness.write('webdata.yaml', serviceYaml(account, settleSeconds) + declaration);
  return harness;
}

/** The requests that were to change something; a PUT of nothing is how some managers are read. */
export function writesOf(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.filter(({ method, body }) => method !== 'GET' && JSON.stringify(body) !== '{}');
}

/** Each migration that was asked for: `pricing -> checkout: 192.0.2.10 192.0.2.11`. */
export function migrationsOf(requests: readonly LoggedRequest[]): string[] {
  return requests
    .filter(({ route }) => route === 'zone/ips/migrate')
    .map(({ body }) => {
      const { from, to, ips } = body as { from: string; to: string; ips: string[] };
      return `${from} -> ${to}: ${ips.join(' ')}`;
    });
}

/** The account of a file, changed: deep enough for the manager, the zones and the dialect. */
export async function accountWith(name: AccountName, change: (account: Account) => void): Promise<AccountInput> {
  const account = await namedAccount(name);
  change(account);
  return account;
}

const read = new Map<AccountName, Promise<Account>>();

/** Returns a copy of a named account. Its file is read once, because parsing it takes longer than many tests. */
async function namedAccount(name: AccountName): Promise<Account> {
  const account = read.get(name) ?? readAccount(accounts[name]);
  read.set(name, account);
  return structuredClone(await account);
}

class Lines {
  text = '';
  write(more: string | Uint8Array): void {
    this.text += Buffer.from(more);
  }
}
