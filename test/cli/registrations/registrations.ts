/** A trigger service beside the emulator, and a declaration of what is to be registered there. */
import { expect } from 'vitest';
import { openServing, owner, type Serving, token } from '../../triggers/serving.ts';
import { type Harness, openHarness, type Result, serviceYaml } from '../harness.ts';

export const canary = 'Bearer canary-hook/7f3a+9c';

export interface Registering extends AsyncDisposable {
  serving: Serving;
  emulator: Harness['emulator'];
  /** Where the declaration lies. */
  folder: string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  /** Writes webdata.yaml: the service, the name of the owner, and this. */
  declare(text: string): Promise<void>;
  webdata(...args: string[]): Promise<Result>;
  webdataWith(env: Readonly<Record<string, string | undefined>>, ...args: string[]): Promise<Result>;
  /** Answers the question with yes, after something else has happened. */
  webdataConfirming(meanwhile: () => Promise<unknown>, ...args: string[]): Promise<Result>;
}

export async function openRegistering(): Promise<Registering> {
  const [harness, serving] = await Promise.all([openHarness('plain'), openServing()]);
  const usual = { WEBDATA_TRIGGERS_URL: serving.url, WEBDATA_TRIGGERS_TOKEN: token, HOOK: canary };
  const webdataWith: Registering['webdataWith'] = (env, ...args) =>
    harness.webdataWith({ env: { ...usual, ...env } }, ...args);
  return {
    serving,
    emulator: harness.emulator,
    folder: harness.folder,
    write: harness.write,
    read: harness.read,
    declare: (text) => harness.write('webdata.yaml', `${serviceYaml('plain')}name: ${owner}\n${text}`),
    webdata: (...args) => webdataWith({}, ...args),
    webdataWith,
    webdataConfirming: (meanwhile, ...args) =>
      harness.webdataWith({ env: usual, confirm: () => meanwhile().then(() => true) }, ...args),
    async [Symbol.asyncDispose]() {
      await serving[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}

export const results = `
webhookDeliveries:
  results: { endpoint: https://hooks.example.com/webdata, authorization: "\${HOOK}" }
`;

/** More fields of the schedule, each on a line of its own. */
export function nightly(...fields: string[]): string {
  const lines = [
    'collector: c_prices',
    'inputs: [{ url: "https://shop.example.com/a" }]',
    'delivery: results',
    ...fields,
  ];
  return `\ncollectorSchedules:\n  nightly:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

export const cron = 'cron: "0 3 * * *"';

/** Both are registered as they are declared. */
export async function openApplied(): Promise<Registering> {
  const registering = await openRegistering();
  await registering.declare(results + nightly(cron, 'timeZone: Europe/Berlin'));
  expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  return registering;
}
