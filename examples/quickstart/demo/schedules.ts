/** Two runs of a collector that is triggered every five seconds, from the tick to the file with its rows. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Env, echo, outputOf, readText, type Stage, say, serve, until, webdata } from './stage.ts';

/** As `webdata triggers runs --format json` prints it. */
interface Run {
  id: string;
  tickAt: string;
  collectionId: string;
  rows: number;
  kept: string;
}

/** Registers a schedule that ticks every five seconds. Returns the environment for commands that concern it. */
export async function startSchedules(stage: Stage, service: Env): Promise<Env> {
  say('Scheduled runs: one server that stores deliveries, and one that fires schedules.');
  const env = await startServers(stage, service);
  say('delivery.yaml declares where results go, schedule.yaml when the collector runs. Register both.');
  await webdata(stage, env, 0, 'apply', '-f', 'delivery.yaml', '-f', 'schedule.yaml', '--yes');
  say('From now on a run is triggered every five seconds. Its rows are kept in a file, and its result is delivered.');
  return env;
}

export async function showRuns(stage: Stage, env: Env): Promise<void> {
  say(
    'The first two scheduled runs, from the tick to the file with its rows (a run ends about ten seconds after its tick):',
  );
  const kept = await printRuns(stage, env);
  say('The schedule is no longer declared: remove it. Its runs and their deliveries stay.');
  await webdata(stage, env, 0, 'apply', '-f', 'delivery.yaml', '--prune', '--yes');
  say('What is left is the rows:');
  echo(`cat ${kept}`);
  process.stdout.write(readText(join(stage.folder, kept)) ?? '');
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

/** Returns the file of the last of the runs. */
async function printRuns(stage: Stage, env: Env): Promise<string> {
  const query = ['--schedule', 'prices', '--state', 'finished', '--format', 'json'];
  const finished = async (): Promise<Run[]> =>
    JSON.parse(await outputOf(stage, env, 'triggers', 'runs', '-f', 'delivery.yaml', ...query)).toReversed();
  let kept = '';
  for (let printed = 0; printed < wanted; ) {
    const runs = await until(
      stage,
      `run ${printed + 1} of ${wanted}`,
      async () => moreThan(printed, await finished()),
      500,
    );
    for (const run of runs.slice(printed, wanted)) {
      process.stdout.write(`${lineOf(run)}\n`);
      kept = run.kept;
    }
    printed = runs.length;
  }
  return kept;
}

function moreThan<T>(count: number, found: readonly T[]): readonly T[] | undefined {
  return found.length > count ? found : undefined;
}

function lineOf({ tickAt, id, collectionId, rows, kept }: Run): string {
  return `  tick ${tickAt.slice(11, 19)}  ${id}  ${collectionId}  ${rows} rows  ${kept}`;
}

const deliveries = 'deliveries';
const wanted = 2;
