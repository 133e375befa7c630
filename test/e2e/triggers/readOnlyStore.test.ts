/** A store that can be read and not written: everybody who asks is given its name and the cause, and it goes on by itself. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { firingSetting } from '../../triggers/firingSetting.ts';
import { describePostgres } from '../../triggers/stores.ts';

/** Makes a store read-only for connections that are opened from now on, and ends the others. */
async function setReadOnly(store: string, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: `${store}&options=-c%20default_transaction_read_only%3Doff` });
  await client.connect();
  const { rows } = await client.query('SELECT current_database() AS name');
  await client.query(`ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await client.end();
}

describePostgres('a store that turned read-only', (newStore) => {
  it('is named by readiness, metric, API, log and alert, until it can be written again', async (end) => {
    const received: unknown[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const piece of request) text += piece;
      received.push(JSON.parse(text));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    end.onTestFinished(() => void server.close());
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alert`;
    const store = await newStore();
    const each = await firingSetting(store, end);
    await each.fire({ every: '1s', cron: undefined, alerts: { on: ['failed'], endpoint } });
    await setReadOnly(store, true);

    const cause = {
      code: 'store-read-only',
      found: expect.stringMatching(/^the store postgres:.*: it is read-only$/),
    };
    const { url } = each.triggers;
    await eventually(async () => {
      const ready = await fetch(new URL('readyz', `${url}/`));
      expect({ status: ready.status, body: await ready.json() }).toEqual({
        status: 503,
        body: { error: [{ ...cause, fix: 'connect to the primary server' }] },
      });
    });
    const metrics = await (
      await fetch(new URL('metrics', `${url}/`), { headers: { authorization: 'Bearer token' } })
    ).text();
    expect(metrics).toContain('webdata_triggers_store_up 0');
    expect(metrics).toMatch(
      /^webdata_triggers_store_problem\{code="store-read-only",cause="the store postgres:.*"\} 1$/m,
    );
    await expect(each.triggers.runNow('acme', 'yearly')).rejects.toMatchObject({
      message: expect.stringContaining('it is read-only'),
    });
    await eventually(() => expect(received).toMatchObject([{ why: 'store', code: 'store-read-only' }]));
    expect(each.lines.filter((line) => line.includes('the store cannot be written; retrying'))).toHaveLength(1);

    await setReadOnly(store, false);
    await eventually(async () => expect((await fetch(new URL('readyz', `${url}/`))).status).toBe(200));
    await eventually(() => expect(each.lines.join('')).toContain('the store is reachable again'));
  });
});
