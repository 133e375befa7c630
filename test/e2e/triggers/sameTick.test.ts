/** Two rounds at the same moment, as two crontabs start them: each tick is triggered once. */
import { expect, it } from 'vitest';
import { startEmulator } from '../../../src/emulator/index.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { createScheduleRegistry } from '../../triggers/registry.ts';
import { describeStores, type NewStore } from '../../triggers/stores.ts';
import { start } from '../process.ts';

const hour = 3_600_000;

const tests = (newStore: NewStore) => {
  it('fire a tick once, and the next rounds poll its job once', async () => {
    const emulator = await startEmulator({ id: 'hl_1', collectors: { c_prices: {} } });
    const store = await newStore();
    const database = await openStore(store);
    try {
      const registry = createScheduleRegistry({ database, sealer: createSealer([]), policy: () => [] });
      const spec = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://a.example' }] };
      await registry.putSchedule('acme', 'hourly', scheduleSpec().parse(spec));
      const env = {
        WEBDATA_TRIGGERS_STORE: store,
        WEBDATA_API_URL: emulator.apiUrl,
        WEBDATA_API_KEY: emulator.keys.admin,
      };
      const twoRounds = async () => {
        const ended = await Promise.all([1, 2].map(() => start(['triggers', 'round'], { cwd: '/', env }).finished));
        expect(ended).toMatchObject([
          { code: 0, stderr: '' },
          { code: 0, stderr: '' },
        ]);
      };
      const toNextHour = hour - (Date.now() % hour);
      for (const hours of [0, 1]) {
        await moveClock(database, toNextHour + hours * hour);
        await twoRounds();
      }
      // Overlap is `skip`: the second tick found the first run active, and polled it meanwhile.
      expect((await registry.runs({})).map(({ state }) => state)).toEqual(['skipped', 'finished']);
      expect(emulator.runs()).toHaveLength(1);
    } finally {
      await database.close();
      await emulator.close();
    }
  });
};

describeStores('two rounds at once', tests, ['SQLite', 'PostgreSQL']);
