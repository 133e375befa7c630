/** Servers, a declaration and an environment in which every secret is a canary, and the places where none may appear. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, readAccount, startEmulator } from '../../src/emulator/index.ts';
import { openFolder } from '../../src/keeping/folder.ts';
import { type Receiver, startReceiver } from '../../src/receiver/receiver.ts';
import { startTriggerService, type TriggerService } from '../../src/triggers/service.ts';
import { type CommandResult, command } from '../frame/world.ts';
import { type CanaryName, canaries, shownIn } from './canaries.ts';

export interface SecretsGround extends AsyncDisposable {
  emulator: Emulator;
  receiver: Receiver;
  folder: string;
  env: Readonly<Record<string, string>>;
  /** Returns the logs of the servers. */
  logged(): string;
  /** Runs a command in this process. */
  webdata(line: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
}

const declaration = `name: acme
service: { profile: { settleSeconds: 1 } }
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing], spare: parked }
managerSettings:
  local: { logs: 500 }
webhookDeliveries:
  named: { endpoint: "https://hooks.example.com/a", authorization: { env: HOOK_AUTHORIZATION } }
  literal: { endpoint: "https://hooks.example.com/a?token=\${ENDPOINT_TOKEN}", authorization: "\${LITERAL_AUTHORIZATION}" }
  bucket:
    destination:
      type: s3
      bucket: results
      credentials: { accessKey: "\${S3_ACCESS_KEY}", secretKey: "\${S3_SECRET_KEY}" }
collectorSchedules:
  nightly: { collector: c_prices, cron: "0 3 1 1 *", inputs: [{ url: "https://shop.example.com/a" }], delivery: literal }
  bucket: { collector: c_prices, every: 30d, inputs: [{ url: "https://shop.example.com/a" }], delivery: bucket }
`;

export async function startGround(folder: string): Promise<SecretsGround> {
  const emulator = await startEmulator(await accountOfCanaries());
  let logs = '';
  const write = (line: string) => {
    logs += line;
  };
  const work = join(folder, 'work');
  mkdirSync(work);
  const triggers = await startTriggers(join(work, '.webdata'), emulator, write);
  const received = join(folder, 'received');
  const destination = await openFolder(received);
  const receiver = await startReceiver({ destination, authorizations: [canaries.receiverAuthorization], write });
  writeFileSync(join(work, 'webdata.yaml'), declaration);
  writeFileSync(join(work, 'deliver.json'), deliver);
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: canaries.apiKey,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
    WEBDATA_MANAGER_TOKEN: canaries.managerToken,
    WEBDATA_TRIGGERS_URL: triggers.url,
    WEBDATA_TRIGGERS_TOKEN: canaries.triggersToken,
    WEBDATA_TRIGGERS_KEY: canaries.storeKey,
    WEBDATA_ZONE_PASSWORD: canaries.proxyPassword,
    HOOK_AUTHORIZATION: canaries.hookAuthorization,
    WEBDATA_ALLOW_ENV: 'ENDPOINT_TOKEN',
    ENDPOINT_TOKEN: encodeURIComponent(canaries.endpointToken),
    LITERAL_AUTHORIZATION: canaries.literalAuthorization,
    S3_ACCESS_KEY: canaries.s3AccessKey,
    S3_SECRET_KEY: canaries.s3SecretKey,
  };
  return {
    emulator,
    receiver,
    folder: work,
    env,
    logged: () => logs,
    webdata: (line, more = {}) =>
      command(line, { cwd: work, env: { ...env, ...more }, signal: AbortSignal.timeout(60_000) }),
    async [Symbol.asyncDispose]() {
      await Promise.all([emulator.close(), triggers.close(), receiver.close()]);
      await destination.close();
    },
  };
}

const deliver = JSON.stringify({
  type: 's3',
  bucket: 'results',
  credentials: { accessKey: canaries.s3AccessKey, secretKey: canaries.s3SecretKey },
});

async function accountOfCanaries() {
  const account = await readAccount('examples/accounts/plain.yaml');
  for (const key of account.apiKeys)
    key.value = key.permission === 'Ops' ? canaries.apiKey : `${canaries.otherKey}${key.permission}`;
  for (const zone of Object.values(account.zones)) zone.password = canaries.zonePassword;
  account.manager.settings.password = canaries.settingsPassword;
  account.manager.token = canaries.managerToken;
  const collectors = { c_prices: { row: { title: 'Item {n}' } } };
  const datasets = { gd_companies: { row: { name: 'Company {n}' } } };
  return {
    ...account,
    zones: { ...account.zones, results: { type: 'search' as const, ips: {} } },
    collectors,
    datasets,
  };
}

function startTriggers(folder: string, emulator: Emulator, write: (line: string) => void): Promise<TriggerService> {
  mkdirSync(folder, { mode: 0o700 });
  return startTriggerService({
    store: join(folder, 'triggers.db'),
    token: canaries.triggersToken,
    keys: [canaries.storeKey],
    secrets: {
      env: { HOOK_AUTHORIZATION: canaries.hookAuthorization },
      bindings: [{ name: 'HOOK_*', destination: 'https://hooks.example.com' }],
    },
    allowPrivate: false,
    service: { url: emulator.apiUrl, apiKey: canaries.apiKey },
    stopMs: 1000,
    log: { write },
  });
}

/** The canaries that files of the user contain. All other files are searched, byte by byte. */
const given: Readonly<Record<string, readonly CanaryName[]>> = { 'deliver.json': ['s3AccessKey', 's3SecretKey'] };

interface Looked {
  files: number;
  shown: string[];
  /** Files in the tool's own folder that other users could read. */
  open: string[];
}

export function lookThrough(folder: string): Looked {
  const looked: Looked = { files: 0, shown: [], open: [] };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isOwn = path.includes('/.webdata');
    if (isOwn && (statSync(path).mode & 0o077) !== 0)
      looked.open.push(`${path} has the mode ${(statSync(path).mode & 0o777).toString(8)}`);
    if (!entry.isFile()) continue;
    looked.files += 1;
    looked.shown.push(
      ...shownIn(readFileSync(path, 'latin1'), given[entry.name]).map((what) => `${path} shows ${what}`),
    );
  }
  return looked;
}
