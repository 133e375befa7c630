/** At most once, across machines and crashes: what was triggered, by the emulator's own log, against what the ledger says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postgresPrograms, startPostgres } from '../../triggers/postgres.ts';
import { atMostOnce, type ChaosReport, chaos } from './chaos.ts';

/** Set by a person who wants the long form: 500 schedules, 10 minutes, and 200 kills of the one server on SQLite. */
const isLong = process.env.WEBDATA_LARGE === '1';

function expectAtMostOnce({ runs, ticks, accepted, ...figures }: ChaosReport): void {
  const unknown = runs.filter(({ state }) => state === 'unknown').length;
  console.log({ ...figures, runs: runs.length, accepted: accepted.length, unknown });
  expect(atMostOnce({ runs, ticks, accepted })).toEqual([]);
  expect(figures.kills).toBeGreaterThan(0);
}

it.skipIf(postgresPrograms === undefined && process.env.CI === undefined)(
  '4 servers on one PostgreSQL, killed, stopped, and the database restarted: each tick once',
  async () => {
    const postgres = await startPostgres();
    try {
      const report = await chaos({
        store: postgres.url,
        servers: 4,
        schedules: isLong ? 500 : 60,
        steps: isLong ? 10 : 3,
        faultEveryMs: isLong ? 300 : 1500,
        halfWay: async () => {
          await postgres.stop();
          await postgres.start();
        },
      });
      expectAtMostOnce(report);
    } finally {
      await postgres.remove();
    }
  },
  isLong ? 3_600_000 : 900_000,
);

it(
  'one server on SQLite, killed again and again: each tick once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wd-ledger-'));
    try {
      const report = await chaos({
        store: join(folder, 'triggers.db'),
        servers: 1,
        schedules: isLong ? 100 : 40,
        steps: isLong ? 50 : 3,
        faultEveryMs: 700,
        faultsAStep: isLong ? 7 : 1,
      });
      expectAtMostOnce(report);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  isLong ? 3_600_000 : 900_000,
);
