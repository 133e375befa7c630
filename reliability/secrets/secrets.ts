/** The secrets campaign: canaries of every kind, and every place where one might appear. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../../test/e2e/process.ts';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { backendLines, backendsLacking, openBackends } from './backends.ts';
import { canaries, formsCount, shownIn } from './canaries.ts';
import { lookThrough, type SecretsGround, startGround } from './ground.ts';
import { lines } from './lines.ts';

export const secrets: Campaign = {
  name: 'secrets',
  about:
    "There is a canary for every kind of secret: API keys, the manager's token, passwords of zones and of the native proxy, authorizations and tokens of webhooks, keys of a bucket, the key and the token of the trigger service, the password of its database, the authorization of the receiver, and the secret key or the password of a shared backend. Every command runs in every format, quietly and with a log of its requests, with success and with failures: the wrong host, wrong keys, a service that repeats every secret, no answer in time, answers that break off. Then the output, reports, plan files, the journal, the baseline, every object and row of a backend on S3 and in PostgreSQL, the database of the trigger service, the logs of the servers and the process list are searched for each canary, as it is and as URLs, JSON, base64 and hexadecimal encode it. Only `webdata proxy-url`, whose purpose is to print a password, may show that password.",
  repeat: 'npm run reliability -- secrets',
  run,
};

interface Scenario {
  name: string;
  /** True if the short form contains it too. */
  first?: true;
  /** True if the short form contains it on backends too: what it stores is in their journals. */
  isStored?: true;
  env?: Readonly<Record<string, string>>;
  more?: readonly string[];
  prepare?(ground: SecretsGround): void;
}

const quick = ['--timeout', '5', '--retries', '0'];

const scenarios: readonly Scenario[] = [
  { name: 'all goes well', first: true, isStored: true },
  { name: 'the wrong host', env: nowhere('http://127.0.0.1:9') },
  { name: 'a URL with credentials', env: nowhere(`http://canary:${canaries.userInfo}@127.0.0.1:9`) },
  {
    name: 'the wrong keys',
    first: true,
    env: {
      WEBDATA_API_KEY: `${canaries.apiKey}x`,
      WEBDATA_MANAGER_TOKEN: `${canaries.managerToken}x`,
      WEBDATA_TRIGGERS_TOKEN: `${canaries.triggersToken}x`,
    },
  },
  {
    name: 'a key that no header can carry',
    env: { WEBDATA_API_KEY: `${canaries.apiKey}\n`, WEBDATA_TRIGGERS_TOKEN: `${canaries.triggersToken}\u00e9` },
  },
  {
    name: 'a service that says every secret back',
    first: true,
    prepare: (ground) => faults(ground, (token) => ({ kind: 'status', status: 500, body: echo(token) })),
  },
  {
    name: 'a refusal that says every secret back',
    first: true,
    prepare: (ground) => faults(ground, (token) => ({ kind: 'status', status: 400, body: echoText(token) })),
  },
  {
    name: 'calls whose answers say every secret back',
    first: true,
    isStored: true,
    prepare: ({ emulator }) => {
      emulator.addFault({
        route: 'zone/ips/migrate',
        fault: { kind: 'status', status: 500, body: echo(canaries.apiKey), when: 'after' },
      });
      emulator.addFault({
        route: 'settings/put',
        fault: { kind: 'status', status: 400, body: echo(canaries.managerToken) },
      });
    },
  },
  {
    name: 'no answer in time',
    more: ['--timeout', '0.2'],
    prepare: (ground) => faults(ground, () => ({ kind: 'delay', ms: 400 })),
  },
  { name: 'answers that break off', prepare: (ground) => faults(ground, () => ({ kind: 'truncated' })) },
  { name: 'answers that are no JSON', prepare: (ground) => faults(ground, () => ({ kind: 'malformed' })) },
  {
    name: 'connections that are cut',
    first: true,
    prepare: (ground) => faults(ground, () => ({ kind: 'drop-after' })),
  },
  {
    name: 'the database of another',
    env: { WEBDATA_TRIGGERS_STORE: `postgres://canary:${canaries.storePassword}@127.0.0.1:9/webdata` },
  },
];

function nowhere(url: string) {
  return { WEBDATA_API_URL: url, WEBDATA_MANAGER_URL: url, WEBDATA_TRIGGERS_URL: url };
}

/** Returns an answer that echoes the token under names of secrets, among other values. */
function echo(token: string) {
  return {
    error: {
      message: `authorization: ${canaries.literalAuthorization}; Bearer ${token}; it was ${token}`,
      nested: JSON.stringify({ headers: { authorization: token } }),
      password: canaries.zonePassword,
      credentials: { accessKey: canaries.s3AccessKey, secretKey: canaries.s3SecretKey },
      url: `https://canary:${canaries.userInfo}@hooks.example.com/?token=${encodeURIComponent(canaries.endpointToken)}`,
    },
  };
}

function echoText(token: string): string {
  const base64 = Buffer.from(`user:${token}`).toString('base64');
  return `Authorization: Bearer ${token} (${base64}) of https://canary:${canaries.userInfo}@a.example/?password=${canaries.zonePassword}`;
}

const apiRoutes = [
  'request',
  'zone/ips',
  'zone/recent_ips',
  'zone/ips/migrate',
  'get_asn',
  'dca/trigger',
  'dca/dataset',
  'datasets/trigger',
  'datasets/download',
];
const managerRoutes = ['settings/get', 'settings/put', 'proxies/delete', 'recent_stats'];

type Fault = Parameters<SecretsGround['emulator']['addFault']>[0]['fault'];

/** Adds a fault to every route, with the token of its requests. */
function faults({ emulator }: SecretsGround, faultOf: (token: string) => Fault): void {
  for (const route of apiRoutes) emulator.addFault({ route, fault: faultOf(canaries.apiKey) });
  for (const route of managerRoutes) emulator.addFault({ route, fault: faultOf(canaries.managerToken) });
}

interface Book {
  runs: number;
  files: number;
  stored: number;
  processes: number;
  failures: string[];
}

async function run(stage: CampaignStage): Promise<Outcome> {
  const book: Book = { runs: 0, files: 0, stored: 0, processes: 0, failures: [] };
  await using ground = await startGround(stage.folder);
  for (const scenario of stage.short ? scenarios.filter(({ first }) => first) : scenarios) {
    await runAll(scenario, ground, stage, book);
    stage.say(`${scenario.name}: ${book.runs} runs, ${book.failures.length} failures so far`);
  }
  await searchBackends(ground, stage, book);
  await receive(ground);
  await processes(ground, stage.short ? looked.slice(0, 1) : looked, book);
  await proxyUrl(ground, book);
  const logged = ground.logged();
  book.failures.push(...shownIn(logged).map((what) => `the logs of the servers show ${what}`));
  return {
    counts: [
      ['kinds of secrets', Object.keys(canaries).length],
      ['encoded secrets searched for', formsCount],
      ['commands run', book.runs],
      ['files searched', book.files],
      ['objects and rows of backends searched', book.stored],
      ['lines of server logs searched', logged.split('\n').length - 1],
      ['entries of the process list searched', book.processes],
    ],
    failures: [...new Set(book.failures)],
    skipped: [
      ...backendsLacking,
      'the state of Pulumi, which requires its engine; test/e2e/pulumi/secrets.test.ts searches it',
    ],
  };
}

async function runAll(
  { name, env = {}, more = quick, prepare }: Scenario,
  ground: SecretsGround,
  { short }: CampaignStage,
  book: Book,
): Promise<void> {
  prepare?.(ground);
  for (const line of lines(short)) {
    const asks = line.includes('--log-http') || line.includes('--format') ? more : [];
    await runLine(name, [...line, ...(line[0] === 'history' ? [] : asks)], env, ground, book);
  }
  ground.emulator.clearFaults();
  const { files, shown, open } = lookThrough(ground.folder);
  book.files += files;
  book.failures.push(...[...shown, ...open].map((what) => `${name}: ${what}`));
}

async function runLine(
  name: string,
  line: readonly string[],
  env: Readonly<Record<string, string>>,
  ground: SecretsGround,
  book: Book,
): Promise<void> {
  const { stdout, stderr } = await ground.webdata(line, env);
  book.runs += 1;
  book.failures.push(...shownIn(stdout + stderr).map((what) => `${name}: ${line.join(' ')} shows ${what}`));
  if (/internal error/.test(stderr))
    book.failures.push(`${name}: ${line.join(' ')} ended with an internal error:\n${stderr.slice(0, 500)}`);
}

/** Runs commands with each shared backend, and searches everything that is stored in it. */
async function searchBackends(ground: SecretsGround, { short }: CampaignStage, book: Book): Promise<void> {
  for (const backend of await openBackends()) {
    await using _ = backend;
    for (const scenario of short ? scenarios.filter(({ isStored }) => isStored) : scenarios) {
      scenario.prepare?.(ground);
      const name = `${scenario.name}, with a backend on ${backend.name}`;
      for (const line of backendLines) await runLine(name, line, { ...scenario.env, ...backend.env }, ground, book);
      ground.emulator.clearFaults();
    }
    const stored = await backend.stored();
    book.stored += stored.length;
    const kinds = ['/lock', '/log/', '/documents/baseline'].filter(
      (kind) => !stored.some(({ key }) => key.includes(kind)),
    );
    book.failures.push(...kinds.map((kind) => `${backend.name} has no object whose key contains ${kind}`));
    for (const { key, text } of stored) {
      const shown = [...shownIn(key), ...shownIn(text)];
      book.failures.push(...shown.map((what) => `${key} of the backend on ${backend.name} shows ${what}`));
    }
  }
}

/** Sends one delivery that is accepted, and some that are refused because the secret is in the wrong place. */
async function receive({ receiver }: SecretsGround): Promise<void> {
  const secret = canaries.receiverAuthorization;
  const headers: Record<string, string>[] = [
    { authorization: secret },
    { authorization: `${secret}x` },
    { 'x-authorization': secret },
  ];
  for (const each of headers) {
    const url = new URL(`?authorization=${encodeURIComponent(secret)}`, receiver.url);
    await (await fetch(url, { method: 'POST', headers: each, body: '[]' })).text();
  }
}

const looked = [['plan'], ['drift', '--log-http'], ['zones', 'ips', 'checkout'], ['triggers', 'serve', '--port', '0']];

/** Searches what other users of the machine can read about a process. */
async function processes({ folder, env, emulator }: SecretsGround, commands: string[][], book: Book): Promise<void> {
  emulator.addFault({ route: 'zone/ips', fault: { kind: 'delay', ms: 1500 } });
  for (const args of commands) {
    const { child, finished } = start(args, { cwd: folder, env });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const file = join('/proc', String(child.pid), 'cmdline');
    const line = child.exitCode === null ? readFileSync(file, 'latin1') : '';
    child.kill('SIGTERM');
    const result = await finished;
    book.processes += 1;
    const text = line + result.stdout + result.stderr;
    book.failures.push(...shownIn(text).map((what) => `the process ${args.join(' ')} shows ${what}`));
  }
  emulator.clearFaults();
}

/** Checks that `proxy-url` prints its password in the URL and nowhere else. */
async function proxyUrl({ webdata }: SecretsGround, book: Book): Promise<void> {
  const { stdout, stderr } = await webdata(['proxy-url', 'checkout', '--account', 'hl_1', '--host', '127.0.0.1']);
  book.runs += 1;
  const shown = [...shownIn(stdout, ['proxyPassword']), ...shownIn(stderr)];
  book.failures.push(...shown.map((what) => `proxy-url shows ${what}`));
  if (!stdout.includes(encodeURIComponent(canaries.proxyPassword)))
    book.failures.push(`proxy-url does not print its URL: ${stderr}`);
}
