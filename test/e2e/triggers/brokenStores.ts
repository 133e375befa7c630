/** Stores on PostgreSQL that can be read, on which nothing fires, and the endpoint of the alert about it. */
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { smallDisk } from '../../base/files/smallDisk.ts';
import { unprivilegedUser } from '../../triggers/postgres.ts';

/** Where each world leaves what ends it. */
export interface Ends {
  onTestFinished(end: () => Promise<void> | void): void;
}

export interface Broken {
  /** The address that the server has. */
  store: string;
  break(): Promise<void>;
  mend(): Promise<void>;
}

/** Makes a store read-only for connections that are opened from now on, and ends the others. */
export async function readOnly(store: string, ends: Ends): Promise<Broken> {
  const admin = await connected(`${store}&options=-c%20default_transaction_read_only%3Doff`, ends);
  const set = async (value: string) => {
    await admin.query(`ALTER DATABASE ${await nameOf(admin)} SET default_transaction_read_only = ${value}`);
    await disconnectOthers(admin);
  };
  return { store, break: () => set('on'), mend: () => set('off') };
}

export async function lockedRows(store: string, ends: Ends): Promise<Broken> {
  const admin = await connected(store, ends);
  return {
    store,
    async break() {
      await admin.query('BEGIN');
      await admin.query('SELECT * FROM schedules FOR UPDATE');
    },
    mend: async () => void (await admin.query('ROLLBACK')),
  };
}

export async function withoutUpdate(store: string, ends: Ends): Promise<Broken> {
  const admin = await connected(store, ends);
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
export async function fullDisk(store: string, ends: Ends): Promise<Broken> {
  const disk = smallDisk(20_000);
  if (disk === undefined) throw new Error('no small disk could be mounted');
  const identity = unprivilegedUser();
  if (identity !== undefined) chownSync(disk.folder, identity.uid, identity.gid);
  const admin = await connected(store.replace(/\/t\w+\?/, '/postgres?'), ends);
  const name = /\/(t\w+)\?/.exec(store)?.[1] ?? '';
  await admin.query(`CREATE TABLESPACE ${name}_disk LOCATION '${disk.folder}'`);
  await admin.query(`ALTER DATABASE ${name} SET TABLESPACE ${name}_disk`);
  ends.onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.query(`DROP TABLESPACE ${name}_disk`);
    disk[Symbol.dispose]();
  });
  return { store, break: async () => disk.fill(), mend: async () => disk.empty() };
}

export async function connected(connectionString: string, { onTestFinished }: Ends): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

export async function nameOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT current_database() AS name');
  return rows[0].name;
}

async function disconnectOthers(client: pg.Client): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

export async function alertEndpoint({ onTestFinished }: Ends): Promise<{ endpoint: string; received: unknown[] }> {
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
