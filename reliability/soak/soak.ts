/** The soak: one hour of everything on one machine. Memory must not grow, and every error must come from a planned fault. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTriggersClient, type TriggersClient } from '../../src/index.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import type { Campaign, CampaignStage, Count, Outcome } from '../frame/campaign.ts';
import { delivery, schedule, schedules, soakAccount } from './account.ts';
import type { Tally } from './client.ts';
import { type Growth, growthOf, type Sample, sampleOf } from './memory.ts';
import { begin, beginServers, type Servers, type Started, soakToken } from './servers.ts';

export const soak: Campaign = {
  name: 'soak',
  about:
    'For one hour, everything runs on one machine: the emulator; the trigger service on SQLite, with 50 schedules of about ten seconds each; the receiver, to which their results are delivered; and a process that changes the declaration at random, applies, checks for drift, moves IPs without the tool and undoes runs, while it sends proxied requests, some through the native proxy, and reads snapshots. Faults are added: refused reads, refused triggers, lost answers of triggers. Memory counts as flat if the median of the last quarter is at most a tenth above that of the second. This limit does not apply to the emulator, because it keeps every run for 16 days, like the service. Every run that the service saw must be in the ledger and delivered once, and every error must be one that was added.',
  repeat: 'npm run reliability -- soak',
  run,
};

const second = 1000;

/** A larger ratio is a leak; a smaller one is the noise of the garbage collector. */
const mostGrowth = 1.1;

async function run(stage: CampaignStage): Promise<Outcome> {
  const lasts = stage.short ? { seconds: 8, everySeconds: 1 } : { seconds: 3600, everySeconds: 60 };
  const file = join(stage.folder, 'account.yaml');
  writeFileSync(file, soakAccount);
  const servers = await beginServers(stage, file);
  const triggers = createTriggersClient({ url: servers.triggersUrl, token: soakToken });
  await register(triggers, servers.endpoint);
  const client = await beginClient(stage, servers);
  const processes = [servers.emulator, servers.triggers, servers.receiver, client];
  const putIn: Record<string, number> = {};
  const end = performance.now() + lasts.seconds * second;
  // Adds the last faults a minute before the end, so that a request meets each.
  const faulty = putFaultsIn(servers, putIn, stage.short ? performance.now() + second : end - 60 * second);
  const samples = await watched(processes, end, lasts.everySeconds, stage);
  await faulty;
  const tally = await tallyOf(client);
  const ledger = await settled(triggers);
  await triggers.close();
  return outcomeOf({ stage, servers, samples, putIn, tally, ledger, processes });
}

async function watched(
  processes: readonly Started[],
  end: number,
  everySeconds: number,
  stage: CampaignStage,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < end) {
    await sleep(everySeconds * second);
    const ended = processes.find(({ child }) => child.exitCode !== null || child.signalCode !== null);
    if (ended !== undefined) throw new Error(`${ended.name} ended:\n${ended.log().slice(-20).join('\n')}`);
    samples.push(sampleOf(processes));
    stage.say(JSON.stringify(samples.at(-1)));
  }
  return samples;
}

async function register(triggers: TriggersClient, endpoint: string): Promise<void> {
  await triggers.putDelivery('soak', 'results', { compression: 'gzip', ...delivery(endpoint) });
  for (let index = 0; index < schedules; index += 1) {
    await triggers.putSchedule('soak', `s${index}`, scheduleSpec().parse(schedule(index)));
  }
}

function beginClient(stage: CampaignStage, { env, proxyUrl }: Servers): Promise<Started> {
  const file = join(import.meta.dirname, 'client.ts');
  const settings = { ...env, SOAK_FOLDER: stage.folder, SOAK_PROXY: proxyUrl };
  return begin(stage, 'client', [process.execPath, file], settings);
}

/** Faults: a refused read and a refused trigger are sent again; a trigger with a lost answer becomes an unknown scheduled run. */
const faults = [
  { route: 'zone/ips', occurrence: 1, fault: { kind: 'status', status: 500 } },
  { route: 'settings/get', occurrence: 1, fault: { kind: 'reset-before' } },
  { route: 'dca/trigger', occurrence: 1, fault: { kind: 'status', status: 503 } },
  { route: 'dca/trigger', occurrence: 2, fault: { kind: 'drop-after' } },
  { route: 'dca/dataset', occurrence: 1, fault: { kind: 'status', status: 502 } },
];

/** Adds the faults once a minute. */
async function putFaultsIn({ apiUrl }: Servers, putIn: Record<string, number>, until: number): Promise<void> {
  while (performance.now() < until) {
    for (const fault of faults) {
      await fetch(`${apiUrl}/_emulator/faults`, { method: 'POST', body: JSON.stringify(fault) });
      const name = `${fault.route} ${fault.fault.status ?? fault.fault.kind}`;
      putIn[name] = (putIn[name] ?? 0) + 1;
    }
    await sleep(Math.min(60 * second, Math.max(0, until - performance.now())));
  }
}

async function tallyOf({ child }: Started): Promise<Tally> {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the client has no streams');
  const answer = once(createInterface({ input: stdout }), 'line');
  stdin.write('\n');
  const [line] = await answer;
  stdin.end();
  return JSON.parse(line);
}

type Ledger = Record<string, number>;

/** Pauses the schedules, and waits until every scheduled run has ended. */
async function settled(triggers: TriggersClient): Promise<Ledger> {
  for (let index = 0; index < schedules; index += 1) await triggers.setPaused('soak', `s${index}`, true);
  for (let seconds = 0; ; seconds += 1) {
    const { runs } = await triggers.totals();
    const open = runs.waiting + runs.triggering + runs.running;
    if (open === 0) break;
    if (seconds > 600) throw new Error(`${open} runs had no end after ten minutes`);
    await sleep(second);
  }
  return ledgerOf(triggers);
}

/** Counts the scheduled runs one by one, because totals may be slightly out of date. */
async function ledgerOf(triggers: TriggersClient): Promise<Ledger> {
  const ledger: Ledger = {};
  for (let after: string | undefined, isMore = true; isMore; ) {
    const page = await triggers.runs({ limit: 1000, after });
    for (const { state } of page) ledger[state] = (ledger[state] ?? 0) + 1;
    after = page.at(-1)?.id;
    isMore = page.length === 1000;
  }
  return ledger;
}

/** Waits until the service has delivered everything, including repeated deliveries. */
async function allDelivered(folder: string, count: number): Promise<Receipt[]> {
  for (let seconds = 0; seconds < 120 && receivedIn(folder).length < count; seconds += 1) await sleep(second);
  return receivedIn(folder);
}

type Receipt = { file: string; again: boolean };

interface Ended {
  stage: CampaignStage;
  servers: Servers;
  samples: readonly Sample[];
  putIn: Record<string, number>;
  tally: Tally;
  ledger: Ledger;
  processes: readonly Started[];
}

async function outcomeOf(ended: Ended): Promise<Outcome> {
  const { stage, servers, samples, putIn, tally, ledger, processes } = ended;
  const growth = growthOf(samples);
  const made = await collections(servers);
  const received = await allDelivered(stage.folder, made.length);
  const logged = loggedBy(processes);
  const { skipped = 0, ...others } = ledger;
  const triggered = Object.values(others).reduce((sum, count) => sum + count, 0);
  return {
    counts: [
      [stage.short ? 'seconds' : 'minutes', samples.length],
      ['runs in the ledger', triggered],
      ['ticks skipped because they were late', skipped],
      ['runs that the service saw', made.length],
      ['deliveries kept', new Set(received.map(({ file }) => file)).size],
      ...Object.entries(tally.counts).sort(([a], [b]) => a.localeCompare(b)),
      ['faults added', Object.values(putIn).reduce((sum, count) => sum + count, 0)],
      ...logged.explained,
      ['unexplained errors and warnings in the logs', logged.unexplained.length],
    ],
    tables: [memoryTable(growth)],
    failures: [
      ...tally.failures,
      ...(stage.short ? [] : growth.filter(({ name, ratio }) => name !== 'emulator' && ratio > mostGrowth).map(grown)),
      ...accounts({ made, received, ledger, logged, triggered }),
      ...logged.unexplained.slice(0, 20),
    ],
  };
}

async function collections({ apiUrl }: Servers): Promise<string[]> {
  const runs = (await (await fetch(`${apiUrl}/_emulator/runs`)).json()) as { id: string }[];
  return runs.map(({ id }) => id).filter((id) => id.startsWith('j_'));
}

/** Returns the deliveries in the record of the receiver. */
function receivedIn(folder: string): Receipt[] {
  const record = join(folder, 'deliveries/received.jsonl');
  if (!existsSync(record)) return [];
  return readFileSync(record, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

interface Accounts {
  triggered: number;
  made: readonly string[];
  received: readonly Receipt[];
  ledger: Ledger;
  logged: ReturnType<typeof loggedBy>;
}

/** Checks that nothing is lost or repeated. A trigger without an answer in time may have been accepted or not: it is unknown. */
function accounts({ triggered, made, received, ledger, logged }: Accounts): string[] {
  const { [answerLost]: lost = 0, [notInTime]: late = 0 } = Object.fromEntries(logged.explained);
  const { unknown = 0, finished = 0 } = ledger;
  const files = new Set(received.map(({ file }) => file)).size;
  const isRight: [boolean, string][] = [
    [
      made.length <= triggered && made.length >= triggered - Number(late),
      `the service saw ${made.length} runs, the ledger has ${triggered}, of which ${late} were not answered in time`,
    ],
    [files === made.length, `${made.length} runs were to be delivered, and ${files} are kept`],
    [received.filter(({ again }) => !again).length === files, 'a delivery was taken for new twice'],
    [
      unknown === Number(lost) + Number(late),
      `${Number(lost) + Number(late)} answers of triggers were lost or late, ${unknown} runs are unknown`,
    ],
    [finished === triggered - unknown, `all other runs should be finished: ${JSON.stringify(ledger)}`],
  ];
  return isRight.flatMap(([right, what]) => (right ? [] : [what]));
}

/** The expected errors: those of the faults, of a receiver with more deliveries at once than it accepts, and of a busy machine. */
const answerLost = 'triggers whose answer was lost: unknown runs';
const notInTime = 'triggers without an answer in 20 s: unknown runs';

const explained: Readonly<Record<string, RegExp>> = {
  'triggers refused with 503, and sent again': /"outcome":"not-sent".*Fault on demand: 503 \(answered 503\)/,
  [answerLost]: /"outcome":"lost".*lost its connection before an answer/,
  [notInTime]: /"outcome":"lost".*(?:was not answered in time|was aborted)/,
  'deliveries sent again because the receiver was busy': /"status":503,"reason":"busy"/,
  'deliveries sent again after 30 s without an answer': /"reason":"broke-off"|"msg":"slow"/,
};

/** Returns the errors and warnings in the logs. */
function loggedBy(processes: readonly Started[]) {
  const lines = processes.flatMap(({ name, log }) =>
    log()
      .filter(isBad)
      .map((line) => `${name} logged: ${line}`),
  );
  const kinds = Object.entries(explained);
  return {
    explained: kinds.map(([what, pattern]): Count => [what, lines.filter((line) => pattern.test(line)).length]),
    unexplained: lines.filter((line) => !kinds.some(([, pattern]) => pattern.test(line))),
  };
}

/**
 * Returns true for errors and warnings. The level is a number in one log and a word in the other; lines that are not JSON are warnings for
 * users.
 */
function isBad(line: string): boolean {
  if (!line.startsWith('{')) return true;
  const { level } = JSON.parse(line);
  return level === 'warn' || level === 'error' || level >= 40;
}

function memoryTable(growth: readonly Growth[]) {
  return {
    title: 'Memory by process, median of a quarter of the time:',
    heads: ['process', 'second quarter', 'last quarter', 'last / second'],
    rows: growth.map(({ name, second, last, ratio }) => [name, inMb(second), inMb(last), ratio.toFixed(3)]),
  };
}

function grown({ name, second, last }: Growth): string {
  return `${name} held ${inMb(second)} in the second quarter and ${inMb(last)} in the last`;
}

function inMb(kilobytes: number): string {
  return `${Math.round(kilobytes / 1024)} MB`;
}
