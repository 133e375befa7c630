/** Several accounts, each on an emulator of its own, with a declaration each in `accounts/`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../../../src/cli/output/io.ts';
import { type Emulator, readAccount, startEmulator } from '../../../src/emulator/index.ts';
import { accounts, type Harness, openHarness, type Result, serviceYaml } from '../harness.ts';

export interface Accounts extends AsyncDisposable {
  harness: Harness;
  emulators: Readonly<Record<string, Emulator>>;
  /** The variables with the keys of the accounts. */
  keys: Readonly<Record<string, string>>;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  webdata(...args: string[]): Promise<Result>;
  webdataWith(more: Partial<Pick<Io, 'env' | 'confirm' | 'signal'>>, ...args: string[]): Promise<Result>;
}

export const inPlace = 'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12] } }, spare: parked } }\n';
export const oneMove =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.10] } }, sources: [pricing] } }\n';

const withoutDefaults = { WEBDATA_API_URL: undefined, WEBDATA_API_KEY: undefined };

/** Opens an account for each name, with the rest of its declaration. Its key is in a variable with its name. */
export async function openAccounts(declarations: Readonly<Record<string, string>>): Promise<Accounts> {
  const harness = await openHarness('plain');
  await mkdir(join(harness.folder, 'accounts'));
  const emulators: Record<string, Emulator> = {};
  const keys: Record<string, string> = {};
  for (const [name, declaration] of Object.entries(declarations)) {
    const account = await readAccount(accounts.plain);
    const emulator = await startEmulator(account, { port: 0, managerPort: 0 });
    emulators[name] = emulator;
    keys[keyVariable(name)] = emulator.keys.ops;
    await writeFile(join(harness.folder, 'accounts', `${name}.yaml`), declarationOf(name, emulator, declaration));
  }
  const webdataWith: Accounts['webdataWith'] = (more, ...args) =>
    harness.webdataWith({ ...more, env: { ...withoutDefaults, ...keys, ...more.env } }, ...args);
  return {
    harness,
    emulators,
    keys,
    write: harness.write,
    read: harness.read,
    webdataWith,
    webdata: (...args) => webdataWith({}, ...args),
    async [Symbol.asyncDispose]() {
      for (const emulator of Object.values(emulators)) await emulator.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}

export function declarationOf(name: string, { apiUrl }: Pick<Emulator, 'apiUrl'>, declaration: string): string {
  const service = serviceYaml('plain').replace(
    'service:\n',
    `service:\n  url: ${apiUrl}\n  apiKey: \${${keyVariable(name)}}\n`,
  );
  return `account: acme-${name}\n${service}${declaration}`;
}

function keyVariable(name: string): string {
  return `WEBDATA_ACME_${name.toUpperCase()}_API_KEY`;
}
