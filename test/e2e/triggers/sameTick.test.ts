/** One tick, brought by two processes at the same moment, as another scheduler may: it is triggered once. */
import { expect, it } from 'vitest';
import { startEmulator } from '../../../src/emulator/index.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { createScheduleRegistry } from '../../../src/triggers/ledger/scheduleRegistry.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { describeStores, type NewStore } from '../../triggers/stores.ts';
import { start } from '../process.ts';

const tests = (newStore: NewStore) => {
  it('is triggered, and so is the next, with no server that asks what became of the first', async () => {
    const emulator = await startEmulator({ id: 'hl_1', collectors: { c_prices: {} } });
    const store = await newStore();
    const database = await openStore(store);
    try {
      const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
      const spec = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://a.example' }] };
      await registry.putSchedule('acme', 'hourly', scheduleSpec.parse(spec));
      const env = {
        WEBDATA_TRIGGERS_STORE: store,
        WEBDATA_API_URL: emulator.apiUrl,
        WEBDATA_API_KEY: emulator.keys.admin,
      };
      for (const hour of [1, 2]) {
        await moveClock(database, hour * 3_600_000);
        const tick = ['triggers', 'fire-tick', 'hourly', '--owner', 'acme', '--tick', 'now'];
        expect(await start(tick, { cwd: '/', env }).finished).toMatchObject({ code: 0, stderr: '' });
      }
      expect((await registry.runs({})).map(({ state }) => state)).toEqual(['running', 'finished']);
      expect(emulator.runs()).toHaveLength(2);
    } finally {
      await database.close();
      await emulator.close();
    }
  });

  it('is triggered once, and the other one says so', async () => {
    const emulator = await startEmulator({ id: 'hl_1', collectors: { c_prices: {} } });
    const store = await newStore();
    const database = await openStore(store);
    try {
      const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
      const spec = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://a.example' }] };
      await registry.putSchedule('acme', 'hourly', scheduleSpec.parse(spec));
      await moveClock(database, 3_600_000);
      const env = {
        WEBDATA_TRIGGERS_STORE: store,
        WEBDATA_API_URL: emulator.apiUrl,
        WEBDATA_API_KEY: emulator.keys.admin,
      };
      const tick = ['triggers', 'fire-tick', 'hourly', '--owner', 'acme', '--tick', 'now'];
      const ended = await Promise.all([1, 2].map(() => start(tick, { cwd: '/', env }).finished));
      expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
        { code: 0, stderr: '' },
        { code: 0, stderr: '' },
      ]);
      const [run] = await registry.runs({});
      const said = `hourly at ${new Date(run?.tickAt ?? 0).toISOString()}: ${run?.id} is running (${run?.collectionId})`;
      expect(ended.map(({ stdout }) => stdout).sort()).toEqual([`${said}\n`, `${said}; this tick had a run already\n`]);
      expect(emulator.runs().map(({ id }) => id)).toEqual([run?.collectionId]);
    } finally {
      await database.close();
      await emulator.close();
    }
  });
};

describeStores('a tick that two processes bring at once', tests, ['SQLite', 'PostgreSQL']);
