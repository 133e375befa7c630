/** A collector that is triggered every five seconds: three runs of it, from the tick to the file that is kept. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Env, outputOf, readText, type Stage, say, serve, until, webdata } from './stage.ts';

/** As `webdata triggers runs` prints it. */
interface Run {
  id: string;
  tickAt: string;
  collectionId: string;
  rows: number;
}

export async function showSchedules(stage: Stage, service: Env): Promise<void> {
  say('Runs by the clock: one server that keeps what is delivered, and one that triggers what is due.');
  const env = await startServers(stage, service);
  say('delivery.yaml declares where results go, schedule.yaml what is triggered when. Register both.');
  await webdata(stage, env, 0, 'apply', '-f', 'delivery.yaml', '-f', 'schedule.yaml', '--yes');
  say('Every five seconds one is triggered, and its result delivered. Three of them (about 20 seconds):');
  await showRuns(stage, env);
  say('The schedule is declared no more: take it away. Its runs, and what they delivered, stay.');
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

async function showRuns(stage: Stage, env: Env): Promise<void> {
  const args = ['triggers', 'runs', '-f', 'delivery.yaml', '--schedule', 'prices', '--state', 'finished'];
  await until(stage, 'three deliveries', () => (received(stage).length < wanted ? undefined : true));
  const runs = await until(
    stage,
    'three finished runs',
    async () => finished(await outputOf(stage, env, ...args)),
    1000,
  );
  for (const run of runs) process.stdout.write(`${lineOf(run, fileOf(stage, run))}\n`);
}

/** The first ones; undefined where there are too few. */
function finished(json: string): Run[] | undefined {
  const runs: Run[] = JSON.parse(json);
  return runs.length < wanted ? undefined : runs.reverse().slice(0, wanted);
}

function lineOf({ tickAt, id, collectionId, rows }: Run, file: string): string {
  return `  tick ${tickAt.slice(11, 19)}  ${id}  ${collectionId}  ${rows} rows  ${file}`;
}

/** Each row of the demo's collector names its run. */
function fileOf(stage: Stage, { collectionId }: Run): string {
  const file = received(stage).find((name) => readText(join(stage.folder, deliveries, name))?.includes(collectionId));
  if (file === undefined) throw new Error(`the result of ${collectionId} was not delivered`);
  return join(deliveries, file);
}

function received({ folder }: Stage): string[] {
  const lines = readText(join(folder, deliveries, 'received.jsonl'))?.split('\n') ?? [];
  // What follows the last end of a line is empty, or not whole yet.
  return lines.slice(0, -1).map((line) => JSON.parse(line).file);
}

const deliveries = 'deliveries';
const wanted = 3;
