/** Many servers of the trigger service on one store, disturbed by test/e2e/triggers/chaos.ts. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { atMostOnce, type ChaosOptions, chaos } from '../../test/e2e/triggers/chaos.ts';
import { postgresPrograms, startPostgres } from '../../test/triggers/postgres.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import type { Race, Raced } from './race.ts';

/** The period of the schedules: longer than the race takes on a slow machine, because the clock of the ledger runs between its steps. */
const periodMs = 30 * 60_000;

const onceEach =
  'each tick has one run; none was triggered twice; the ledger records each accepted trigger, or that its outcome is unknown';

export const fleets: readonly Race[] = [
  {
    name: '20 servers of the trigger service on one PostgreSQL',
    holds: onceEach,
    lacks: postgresPrograms === undefined ? 'no PostgreSQL' : undefined,
    times: 1,
    short: 1,
    isLarge: true,
    run: onPostgres,
  },
  {
    name: '2 servers of the trigger service on one SQLite file',
    holds: onceEach,
    times: 2,
    short: 1,
    isLarge: true,
    run: onSqlite,
  },
];

async function onPostgres({ short }: CampaignStage): Promise<Raced> {
  const postgres = await startPostgres();
  try {
    return await disturbed({
      store: postgres.url,
      servers: short ? 3 : 20,
      schedules: short ? 10 : 200,
      steps: short ? 1 : 6,
      faultEveryMs: short ? 500 : 900,
      faultsAStep: short ? 1 : 8,
      clockJumps: short ? 1 : 5,
      halfWay: async () => {
        await postgres.stop();
        await postgres.start();
      },
    });
  } finally {
    await postgres.remove();
  }
}

async function onSqlite({ short, folder }: CampaignStage): Promise<Raced> {
  return disturbed({
    store: join(await mkdtemp(join(folder, 'fleet-')), 'triggers.db'),
    servers: 2,
    schedules: short ? 10 : 60,
    steps: short ? 1 : 10,
    faultEveryMs: short ? 600 : 800,
    faultsAStep: short ? 1 : 3,
    clockJumps: short ? 1 : 3,
  });
}

async function disturbed(options: ChaosOptions): Promise<Raced> {
  const { runs, ticks, accepted, kills, pauses } = await chaos({ ...options, periodMs });
  const unknown = runs.filter(({ state }) => state === 'unknown').length;
  return {
    cameTo: `${ticks.length} ticks, ${accepted.length} triggered, ${unknown} unknown, under ${kills} kills and ${pauses} pauses`,
    faults: atMostOnce({ runs, ticks, accepted }),
  };
}
