/** Two runs of a collector that is triggered every five seconds, from the tick to the stored file. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Env, outputOf, readText, type Stage, say, serve, until, webdata } from './stage.ts';

/** As `webdata triggers runs --format json` prints it. */
interface Run {
  id: string;
  tickAt: string;
  collectionId: string;
  rows: number;
}

/** Registers a schedule that ticks every five seconds. Returns the environment for commands that concern it. */
export async function startSchedules(stage: Stage, service: Env): Promise<Env> {
  say('Scheduled runs: one server that stores deliveries, and one that fires schedules.');
  const env = await startServers(stage, service);
  say('delivery.yaml declares where results go, schedule.yaml when the collector runs. Register both.');
  await webdata(stage, env, 0, 'apply', '-f', 'delivery.yaml', '-f', 'schedule.yaml', '--yes');
  say('From now on a run is triggered every five seconds, and its result is delivered.');
  return env;
}

export async function showRuns(stage: Stage, env: Env): Promise<void> {
  say('The first two scheduled runs, from the tick to the stored file (a run ends about ten seconds after its tick):');
  await printRuns(stage, env);
  say('The schedule is no longer declared: remove it. Its runs and their deliveries stay.');
  await webdata(stage, env, 0, 'apply', '-f', 'delivery.yaml', '--prune', '--yes');
}

async function startServers(stage: Stage, service: Env): Promise<Env> {
  const HOOK_AUTHORIZATION = `Bearer ${randomBytes(16).toString('hex')}`;
  const WEBDATA_TRIGGERS_TOKEN = randomBytes(16).toString('hex');
  const receiving = ['--folder', deliveries, '--authorization-env', 'HOOK_AUTHORIZATION', '--port', '0'];
  const log = serve(stage, { HOOK_AUTHORIZATION }, 'receive', ...receiving);
  const secrets = { HOOK_AUTHORIZATION, WEBDATA_TRIGGERS_TOKEN };
  const WEBDATA_HOOK_URL = await until(
    stage,
    'the receiver listens',
    () => readText(log)?.match(/^Receiving at (\S+),/m)?.[1],
  );
  const secretFor = ['--secret-for', `HOOK_AUTHORIZATION=${new URL(WEBDATA_HOOK_URL).origin}`];
  const serving = ['--allow-private-endpoints', ...secretFor, '--port', '0', '--ready-file', 'triggers.json'];
  serve(stage, { ...service, ...secrets }, 'triggers', 'serve', ...serving);
  const ready = await until(stage, 'the trigger service is listening', () =>
    readText(join(stage.folder, 'triggers.json')),
  );
  return { ...service, WEBDATA_HOOK_URL, WEBDATA_TRIGGERS_TOKEN, WEBDATA_TRIGGERS_URL: JSON.parse(ready).url };
}

async function printRuns(stage: Stage, env: Env): Promise<void> {
  const args = [
    'triggers',
    'runs',
    '-f',
    'delivery.yaml',
    '--schedule',
    'prices',
    '--state',
    'finished',
    '--format',
    'json',
  ];
  for (let printed = 0; printed < wanted; ) {
    const runs = await until(
      stage,
      `run ${printed + 1} of ${wanted}`,
      async () => moreThan(printed, delivered(stage, JSON.parse(await outputOf(stage, env, ...args)))),
      500,
    );
    for (const { run, file } of runs.slice(printed, wanted)) process.stdout.write(`${lineOf(run, file)}\n`);
    printed = runs.length;
  }
}

function moreThan<T>(count: number, found: readonly T[]): readonly T[] | undefined {
  return found.length > count ? found : undefined;
}

/** Returns the finished runs whose result has arrived, the earliest first. */
function delivered(stage: Stage, runs: readonly Run[]): { run: Run; file: string }[] {
  return runs.toReversed().flatMap((run) => filesOf(stage, run).map((file) => ({ run, file })));
}

function lineOf({ tickAt, id, collectionId, rows }: Run, file: string): string {
  return `  tick ${tickAt.slice(11, 19)}  ${id}  ${collectionId}  ${rows} rows  ${file}`;
}

/** Finds the delivered file of a run, if it has arrived: each row of the demo's collector contains its run. */
function filesOf(stage: Stage, { collectionId }: Run): string[] {
  const isOf = (name: string) => readText(join(stage.folder, deliveries, name))?.includes(collectionId);
  return received(stage)
    .filter(isOf)
    .map((name) => join(deliveries, name));
}

function received({ folder }: Stage): string[] {
  const lines = readText(join(folder, deliveries, 'received.jsonl'))?.split('\n') ?? [];
  // The text after the last line break is empty or incomplete.
  return lines.slice(0, -1).map((line) => JSON.parse(line).file);
}

const deliveries = 'deliveries';
const wanted = 2;
