/** Three runs of a collector that is triggered every five seconds, from the tick to the stored file. */
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
  say('Scheduled runs: one server that stores deliveries, and one that fires schedules.');
  const env = await startServers(stage, service);
  say('delivery.yaml declares where results go, schedule.yaml when the collector runs. Register both.');
  await webdata(stage, env, 0, 'apply', '-f', 'delivery.yaml', '-f', 'schedule.yaml', '--yes');
  say('Every five seconds a run is triggered, and its result is delivered. Wait for three (about 20 seconds):');
  await showRuns(stage, env);
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

/** Returns the first runs, or undefined if there are too few. */
function finished(json: string): Run[] | undefined {
  const runs: Run[] = JSON.parse(json);
  return runs.length < wanted ? undefined : runs.reverse().slice(0, wanted);
}

function lineOf({ tickAt, id, collectionId, rows }: Run, file: string): string {
  return `  tick ${tickAt.slice(11, 19)}  ${id}  ${collectionId}  ${rows} rows  ${file}`;
}

/** Finds the delivered file of a run: each row of the demo's collector contains its run. */
function fileOf(stage: Stage, { collectionId }: Run): string {
  const file = received(stage).find((name) => readText(join(stage.folder, deliveries, name))?.includes(collectionId));
  if (file === undefined) throw new Error(`the result of ${collectionId} was not delivered`);
  return join(deliveries, file);
}

function received({ folder }: Stage): string[] {
  const lines = readText(join(folder, deliveries, 'received.jsonl'))?.split('\n') ?? [];
  // The text after the last line break is empty or incomplete.
  return lines.slice(0, -1).map((line) => JSON.parse(line).file);
}

const deliveries = 'deliveries';
const wanted = 3;
