/** PostgreSQL that has failed over: each promotion begins another timeline. */
import { expect, it } from 'vitest';
import { handleFailover } from '../../../src/triggers/ledger/failover.ts';
import { tickDue } from '../../../src/triggers/ledger/ticking.ts';
import { alertsIn, ledgerSetting } from '../ledgerSetting.ts';
import { moveClock } from '../moveClock.ts';
import { describeStores } from '../stores.ts';

describeStores('a ledger', (newStore) => {
  it('fires nothing that was due when its database failed over, once, and goes on', async (end) => {
    // The clock of the setting begins at the whole hour.
    const hour = -(Date.now() % 3_600_000);
    const setting = await ledgerSetting(newStore, end);
    const { database, put, pass, claim, registry } = setting;
    await put('often', { overlap: 'allow' });
    expect(await handleFailover(database)).toBe(false);
    await pass(60);
    // The next tick is due, and no server has looked.
    await moveClock(database, hour + 120_000);
    await database.query(`UPDATE meta SET value = value + 1 WHERE key = 'timeline'`);
    const isPostgres = database.dialect.name === 'postgres';
    expect(await Promise.all([1, 2].map(() => handleFailover(database)))).toContain(isPostgres);
    expect(await handleFailover(database)).toBe(false);
    const states = (await registry.runs({})).map(({ state }) => state);
    expect(states).toEqual(isPostgres ? ['unknown', 'unknown'] : ['waiting']);
    if (!isPostgres) return;
    expect(await claim()).toEqual([]);
    expect(await alertsIn(setting)).toEqual(['unknown', 'unknown']);
    await moveClock(database, hour + 180_000);
    await tickDue(database);
    expect(await claim()).toHaveLength(1);
  });
});
