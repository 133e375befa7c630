/** Stores that can be read, on which nothing fires: readiness, metrics, log and an alert give the cause, and schedules fire again once it is gone. */
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openConnections } from '../../../src/base/drivers/postgres.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { hasSmallDisks } from '../../base/files/smallDisk.ts';
import { eventually } from '../../eventually.ts';
import { firingSetting } from '../../triggers/firingSetting.ts';
import { describePostgres } from '../../triggers/stores.ts';
import { alertEndpoint, connected, fullDisk, lockedRows, nameOf, readOnly, withoutUpdate } from './brokenStores.ts';

describePostgres('a store', (newStore) => {
  it.skipIf(!hasSmallDisks).each([
    [
      'is read-only',
      readOnly,
      'store-read-only',
      'the store cannot be written',
      /^the store postgres:.*: it is read-only$/,
    ],
    [
      'has rows that others have locked',
      lockedRows,
      'ticks-overdue',
      'schedules do not fire',
      /^ticks or runs are overdue for \d+ s/,
    ],
    [
      'may not be updated',
      withoutUpdate,
      'store-denied',
      'the store cannot be written',
      /the user has no permission for its tables$/,
    ],
    ['is on a full disk', fullDisk, 'store-full', 'the store cannot be written', /no space is left on its disk$/],
  ] as const)(
    'that %s is reported by readiness, metrics, log and alert until schedules fire again',
    async (_, world, code, logged, cause) => {
      const end = { onTestFinished };
      const { endpoint, received } = await alertEndpoint(end);
      const broken = await world(await newStore(), end);
      const each = await firingSetting(broken.store, end);
      const { id } = await each.fire({
        every: '1s',
        cron: undefined,
        overlap: 'allow',
        alerts: { on: ['failed'], endpoint },
      });
      await each.until(id, 'finished');
      const page = (path: string) =>
        fetch(new URL(path, `${each.triggers.url}/`), { headers: { authorization: 'Bearer token' } });
      await eventually(async () => expect((await page('readyz')).status).toBe(200));

      await broken.break();
      await eventually(async () => {
        // The clock may not be set where nothing can be written.
        await each.pass(3_600_000).catch(() => undefined);
        const ready = await page('readyz');
        const error = [{ code, found: expect.stringMatching(cause), fix: expect.any(String) }];
        expect({ status: ready.status, body: await ready.json() }).toEqual({ status: 503, body: { error } });
      });
      const metrics = await (await page('metrics')).text();
      expect(metrics).toContain('webdata_triggers_store_up 0');
      expect(metrics).toMatch(new RegExp(`^webdata_triggers_store_problem\\{code="${code}",cause=".*"\\} 1$`, 'm'));
      expect(metrics).toMatch(/^webdata_triggers_last_good_round_age_seconds \d/m);
      if (code === 'ticks-overdue') expect(metrics).toMatch(/^webdata_triggers_overdue_seconds [1-9]\d/m);
      await eventually(() => expect(received).toMatchObject([{ why: 'store', code }]));
      expect(each.lines.filter((line) => line.includes(`${logged}; retrying`))).toHaveLength(1);

      await broken.mend();
      await eventually(async () => expect((await page('readyz')).status).toBe(200));
      await eventually(() => expect(each.lines.join('')).toContain('schedules fire again'));
      const { id: next } = await each.triggers.runNow('acme', 'yearly');
      await each.until(next, 'finished');
    },
  );

  it('whose tables exist is used by a user that may create none', async () => {
    const store = await newStore();
    const owner = await openStore(store);
    const admin = await connected(store, { onTestFinished });
    const role = `role_${await nameOf(admin)}`;
    await admin.query(`REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE ${role} LOGIN`);
    await admin.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await admin.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    const each = await firingSetting(store.replace('webdata@', `${role}@`), { onTestFinished });
    const { id } = await each.fire();
    await each.until(id, 'finished');
    await owner.close();
  });

  it('that answers while this process is suspended has answered, and one that is silent has not', async () => {
    const limits = { max: 1, statementTimeoutMs: 0, idleTimeoutMs: 10_000 };
    const connections = openConnections(await newStore(), limits);
    onTestFinished(() => connections.close());
    const asked = (seconds: number) => connections.run({ text: `SELECT 7 AS a, pg_sleep(${seconds})` });
    await asked(0);
    const answer = asked(0.3);
    await setImmediate();
    // The limit without statements is five seconds.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5500);
    expect(await answer).toMatchObject([{ a: 7 }]);
    await expect(asked(60)).rejects.toThrow('no answer');
  });
});
