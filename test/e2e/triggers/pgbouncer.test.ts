/** The trigger service and a shared backend through a real PgBouncer with its default settings. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openObjectStore } from '../../../src/engine/backend/store/open.ts';
import { accepted, firingSetting, sent } from '../../triggers/firingSetting.ts';
import { ledgerSetting } from '../../triggers/ledgerSetting.ts';
import { type PoolMode, pgbouncerProgram, throughPgbouncer } from '../../triggers/pgbouncer.ts';
import { describePostgres } from '../../triggers/stores.ts';

const modes: readonly PoolMode[] = ['session', 'transaction'];

describe.skipIf(pgbouncerProgram === undefined && process.env.CI === undefined)('through PgBouncer', () => {
  describePostgres('a store', (newStore) => {
    it.for(modes)('fires each tick once, with two servers, in %s mode', async (mode, end) => {
      const store = await throughPgbouncer(await newStore(), mode, end);
      const each = await firingSetting(store, end);
      await each.another();
      const ids = new Set<string>();
      for (let count = 0; count < 10; count += 1) ids.add((await each.fire({ overlap: 'allow' })).id);
      for (const id of ids) await each.until(id, 'finished');
      expect({ sent: sent(each), accepted: accepted(each) }).toEqual({ sent: 10, accepted: 10 });
    });

    it.for(modes)('does its work in %s mode on sessions that other clients share', async (mode, end) => {
      const database = await newStore();
      const address = await throughPgbouncer(database, mode, end);
      const ledgers = await Promise.all([1, 2, 3].map(() => ledgerSetting(async () => address, end)));
      await Promise.all(ledgers.map(({ put }, index) => put(`often-${index}`)));
      const [first] = ledgers;
      await first?.pass(61);
      await Promise.all(
        ledgers.flatMap(({ registry }) => [registry.schedules({}), registry.runs({}), registry.totals()]),
      );
      const claims = (await Promise.all(ledgers.map(({ claim }) => claim()))).flat();
      expect(new Set(claims.map(({ run }) => run.id)).size).toBe(claims.length);
      expect(claims).toHaveLength(3);
    });

    it('leaves its settings in no session that others get', async (end) => {
      const address = await throughPgbouncer(await newStore(), 'transaction', end);
      const { put, registry } = await ledgerSetting(async () => address, end);
      await put('often');
      await Promise.all(Array.from({ length: 8 }, () => registry.schedules({})));
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      for (const setting of ['enable_seqscan', 'statement_timeout', 'idle_in_transaction_session_timeout']) {
        const { rows } = await client.query(`SHOW ${setting}`);
        expect(rows).toEqual([{ [setting]: setting === 'enable_seqscan' ? 'on' : '0' }]);
      }
      await client.end();
    });

    it.for(modes)('keeps what a backend writes in %s mode', async (mode, end) => {
      const address = await throughPgbouncer(await newStore(), mode, end);
      const store = await openObjectStore(address, {});
      end.onTestFinished(() => store.close());
      const versions = await Promise.all(Array.from({ length: 8 }, (_, index) => store.create(`log/${index}`, 'text')));
      expect(new Set(versions).size).toBe(8);
      expect(await store.create('log/0', 'other')).toBeUndefined();
      expect(await store.replace('log/0', 'other', String(versions[0]))).toEqual(expect.any(String));
      expect(await store.read('log/0')).toMatchObject({ text: 'other' });
      const keys: string[] = [];
      for await (const key of store.list('log/')) keys.push(key);
      expect(keys).toHaveLength(8);
    });
  });
});
