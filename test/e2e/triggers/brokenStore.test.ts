/** Stores that can be read, on which nothing fires: readiness, metrics, log and an alert give the cause, and schedules fire again once it is gone. */
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openConnections } from '../../../src/base/drivers/postgres.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { hasSmallDisks, smallDisk } from '../../base/files/smallDisk.ts';
import { eventually } from '../../eventually.ts';
import { type End, firingSetting } from '../../triggers/firingSetting.ts';
import { unprivilegedUser } from '../../triggers/postgres.ts';
import { describePostgres } from '../../triggers/stores.ts';

interface Broken {
  /** The address that the server has. */
  store: string;
  break(): Promise<void>;
  mend(): Promise<void>;
}

/** Makes a store read-only for connections that are opened from now on, and ends the others. */
async function readOnly(store: string): Promise<Broken> {
  const admin = await connected(`${store}&options=-c%20default_transaction_read_only%3Doff`);
  const set = async (value: string) => {
    await admin.query(`ALTER DATABASE ${await nameOf(admin)} SET default_transaction_read_only = ${value}`);
    await disconnectOthers(admin);
  };
  return { store, break: () => set('on'), mend: () => set('off') };
}

async function lockedRows(store: string): Promise<Broken> {
  const admin = await connected(store);
  return {
    store,
    async break() {
      await admin.query('BEGIN');
      await admin.query('SELECT * FROM schedules FOR UPDATE');
    },
    mend: async () => void (await admin.query('ROLLBACK')),
  };
}

async function withoutUpdate(store: string): Promise<Broken> {
  const admin = await connected(store);
  const role = `role_${await nameOf(admin)}`;
  await admin.query(`CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}`);
  return {
    store: store.replace('webdata@', `${role}@`),
    // An owner keeps its rights only as long as it owns the tables.
    break: async () => {
      const owned = `ALTER TABLE schedules OWNER TO webdata; GRANT SELECT, INSERT, DELETE ON schedules TO ${role}`;
      await admin.query(owned);
    },
    mend: async () => void (await admin.query(`GRANT UPDATE ON schedules TO ${role}`)),
  };
}

/** The tables are on a disk of their own, which fills: new rows need new pages. */
async function fullDisk(store: string): Promise<Broken> {
  const disk = smallDisk(20_000);
  if (disk === undefined) throw new Error('no small disk could be mounted');
  const identity = unprivilegedUser();
  if (identity !== undefined) chownSync(disk.folder, identity.uid, identity.gid);
  const admin = await connected(store.replace(/\/t\w+\?/, '/postgres?'));
  const name = /\/(t\w+)\?/.exec(store)?.[1] ?? '';
  await admin.query(`CREATE TABLESPACE ${name}_disk LOCATION '${disk.folder}'`);
  await admin.query(`ALTER DATABASE ${name} SET TABLESPACE ${name}_disk`);
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.query(`DROP TABLESPACE ${name}_disk`);
    disk[Symbol.dispose]();
  });
  return { store, break: async () => disk.fill(), mend: async () => disk.empty() };
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function nameOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT current_database() AS name');
  return rows[0].name;
}

async function disconnectOthers(client: pg.Client): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

async function alertEndpoint({ onTestFinished }: End): Promise<{ endpoint: string; received: unknown[] }> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    received.push(JSON.parse(text));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alert` };
}

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
      const broken = await world(await newStore());
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
    const admin = await connected(store);
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
