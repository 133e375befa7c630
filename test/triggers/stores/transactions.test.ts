/** Transactions of the ledger: all of their statements, or none. */
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { describeStores } from '../stores.ts';

/** In the words of SQLite, and as the code of PostgreSQL. */
const notUnique = /UNIQUE|23505/;

describeStores('a transaction', (newStore) => {
  const opened = async () => {
    const database = await openStore(await newStore());
    onTestFinished(() => database.close());
    return database;
  };
  const insert = `INSERT INTO meta (key, value) VALUES ('a', 1)`;
  const all = `SELECT value FROM meta WHERE key = 'a'`;

  it('sees its own changes, and commits them', async () => {
    const database = await opened();
    const seen = await database.transaction(async (queries) => {
      await queries.query(insert);
      await queries.query(`UPDATE meta SET value = 2 WHERE key = 'a'`);
      return queries.query(all);
    });
    expect(seen).toEqual([{ value: 2 }]);
    expect(await database.query(all)).toEqual([{ value: 2 }]);
  });

  it('fails with the cause if a change fails, and commits nothing', async () => {
    const database = await opened();
    const twice = database.transaction(async (queries) => {
      await queries.query(insert);
      await queries.query(insert);
    });
    await expect(twice).rejects.toThrow(notUnique);
    const thenRead = database.transaction(async (queries) => {
      await queries.query(insert);
      await queries.query(insert);
      await queries.query(all);
    });
    await expect(thenRead).rejects.toThrow(notUnique);
    expect(await database.query(all)).toEqual([]);
  });

  it('commits nothing if its work fails', async () => {
    const database = await opened();
    const work = database.transaction(async (queries) => {
      await queries.query(insert);
      throw new Error('on second thoughts');
    });
    await expect(work).rejects.toThrow('on second thoughts');
    expect(await database.query(all)).toEqual([]);
  });
});
