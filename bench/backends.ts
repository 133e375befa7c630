/** The cost of a shared backend for an apply, against the folder. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasMoto, startMoto } from '../test/engine/backend/moto.ts';
import { postgresPrograms, startPostgres } from '../test/triggers/postgres.ts';
import { accountFor, declarationFor } from './frame/accounts.ts';
import { absent, type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { type RunningEmulator, startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const size = { ips: 1000, zones: 100, moves: 50, pairs: 50 };
const callMs = 20;
const goal = atMost(1.5);

export const benchmark: Benchmark = {
  name: 'backends',
  about:
    "**backends**: `webdata apply --yes` of 50 calls of 20 ms each, with a backend in PostgreSQL or on S3 (moto's server, which is slower than most S3 servers in the same region), against the same apply with the folder `.webdata`. The two move the same IPs back and forth in turn.",
  async run(stage) {
    const emulator = await startEmulator(stage, accountFor(size));
    await emulator.admin('POST', 'faults', { route: 'zone/ips/migrate', fault: { kind: 'delay', ms: callMs } });
    return [await onPostgres(stage, emulator), await onS3(stage, emulator)];
  },
};

const requests =
  'an apply sends about 50 requests: 28 write the journal before its calls, and most others wait for one another when it begins and ends. Each takes moto 3 to 5 ms, and all of them take the AWS client 160 ms of processor time';

async function onPostgres(stage: Stage, emulator: RunningEmulator): Promise<Row> {
  const what = 'apply, 50 calls, backend in PostgreSQL';
  if (postgresPrograms === undefined) return absent(what, 'PostgreSQL', goal.text, 'Install PostgreSQL.');
  const postgres = await startPostgres();
  try {
    return await measured(stage, emulator, what, { WEBDATA_BACKEND: postgres.url });
  } finally {
    await postgres.remove();
  }
}

async function onS3(stage: Stage, emulator: RunningEmulator): Promise<Row> {
  const what = 'apply, 50 calls, backend on S3';
  if (!hasMoto) return absent(what, 'moto', goal.text, 'Run scripts/moto.sh.');
  await using moto = await startMoto();
  const WEBDATA_BACKEND = `s3://${moto.bucket}/${randomBytes(6).toString('hex')}`;
  return unlessReached(await measured(stage, emulator, what, { ...moto.env, WEBDATA_BACKEND }), requests);
}

/** The history of the backend grows with each apply, as it does for a team. The folder of the other side is as old. */
async function measured(
  stage: Stage,
  emulator: RunningEmulator,
  what: string,
  env: Readonly<Record<string, string>>,
): Promise<Row> {
  const [ours, floor] = ['shared', 'folder'].map((name) => join(stage.folder, name));
  for (const folder of [ours, floor]) rmSync(folder ?? '', { recursive: true, force: true });
  let isAway = false;
  const apply = async (cwd = '', more: Readonly<Record<string, string>> = {}) => {
    isAway = !isAway;
    mkdirSync(cwd, { recursive: true });
    const declaration = declarationFor({ ...size, moves: isAway ? size.moves : 0 });
    writeFileSync(join(cwd, 'webdata.yaml'), declaration.replace(/maxMoves: \d+/, `maxMoves: ${size.moves}`));
    await emulator.admin('DELETE', 'requests');
    const { ms } = await runProcess(stage, [...webdata, 'apply', '--yes'], { cwd, env: { ...emulator.env, ...more } });
    const requests = (await emulator.admin('GET', 'requests')) as unknown[];
    const calls = requests.filter((request) => JSON.stringify(request).includes('migrate')).length;
    if (calls !== size.pairs) throw new Error(`${calls} calls instead of ${size.pairs}`);
    return ms;
  };
  const compare = await pairs(
    () => apply(ours, env),
    () => apply(floor),
    { count: 7 },
  );
  return compared(what, compare, goal, inTime);
}
