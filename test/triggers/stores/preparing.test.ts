/** Requests that cannot be prepared at first: nothing is sent meanwhile, and the run is not lost. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import type { Database } from '../../../src/triggers/store/database.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { startWorker } from '../../../src/triggers/worker/worker.ts';
import { eventually } from '../../eventually.ts';
import { type End, type FiringSetting, firingSetting, sent } from '../firingSetting.ts';
import { keepsNothing } from '../keepsNothing.ts';
import { describeStores } from '../stores.ts';

const bindings = [{ name: 'hooks/results', destination: 'https://hooks.example.com' }];

const delivery = deliverySpec().parse({
  endpoint: 'https://hooks.example.com/in',
  authorization: { secret: 'hooks/results' },
});

interface Vault {
  /** A secret command that fails until `open`, and notes each call. */
  command: string[];
  open(): void;
  calls(): number;
}

function vault({ onTestFinished }: End): Vault {
  const folder = mkdtempSync(join(tmpdir(), 'wd-vault-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [calls, isOpen] = [join(folder, 'calls'), join(folder, 'open')];
  writeFileSync(calls, '');
  const script = `echo "$0" >> ${calls}; test -e ${isOpen} || exit 3; echo "Bearer from-vault"`;
  return {
    command: ['sh', '-c', script],
    open: () => writeFileSync(isOpen, ''),
    calls: () => readFileSync(calls, 'utf8').split('\n').length - 1,
  };
}

const secretsOf = ({ command }: Vault) => ({ env: { PATH: process.env.PATH }, command, bindings });

async function fireDelivered(each: FiringSetting, spec: object = {}) {
  await each.triggers.putDelivery('acme', 'results', delivery);
  return each.fire({ delivery: 'results', ...spec });
}

const untilWaiting = (each: FiringSetting, id: string, reason: RegExp) =>
  eventually(async () => {
    const { run } = await each.triggers.run(id);
    expect(run).toMatchObject({ state: 'waiting', reason: expect.stringMatching(reason), attempts: 0 });
  });

describeStores('a run whose secret command fails', (newStore) => {
  it.concurrent('waits, says why, and is sent once when the command works again', async (end) => {
    const locked = vault(end);
    const each = await firingSetting(await newStore(), end, { secrets: secretsOf(locked) });
    const { id } = await fireDelivered(each);
    await untilWaiting(
      each,
      id,
      /^not prepared yet, nothing was sent: .*hooks\/results: it exited with 3; next attempt in 10 s$/,
    );
    expect(sent(each)).toBe(0);
    locked.open();
    const run = await each.until(id, 'finished');
    expect({ sent: sent(each), attempts: run.attempts }).toEqual({ sent: 1, attempts: 1 });
    expect(locked.calls()).toBeGreaterThanOrEqual(2);
    const logged = each.lines.filter((line) => line.includes(id)).join('');
    expect(logged).toContain('not prepared yet: nothing was sent');
  });

  it.concurrent('goes on at a server that is started later', async (end) => {
    const [locked, store] = [vault(end), await newStore()];
    const each = await firingSetting(store, end, { secrets: secretsOf(locked) });
    const { id } = await fireDelivered(each);
    await untilWaiting(each, id, /next attempt in \d+ s$/);
    const opened = vault(end);
    opened.open();
    await each.another({ secrets: secretsOf(opened) });
    locked.open();
    await each.until(id, 'finished');
    expect(sent(each)).toBe(1);
  });

  it.concurrent('fails when the catch-up window of its tick has closed, and is reported', async (end) => {
    const each = await firingSetting(await newStore(), end, { secrets: secretsOf(vault(end)) });
    const { id } = await fireDelivered(each, { catchUp: { within: '10m' } });
    await untilWaiting(each, id, /next attempt in/);
    await each.pass(5 * 60_000);
    await untilWaiting(each, id, /next attempt in 10 s$/);
    await each.pass(6 * 60_000);
    const { reason } = await each.until(id, 'failed');
    expect(reason).toMatch(/it exited with 3\. Nothing was sent, and its catch-up window ended at 20/);
    expect(sent(each)).toBe(0);
  });
});

/** A store whose next statement about deliveries is lost, once in a while. */
function losing(database: Database, isLost: () => boolean): Database {
  const check = (sql: string) => {
    if (/FROM deliveries|JOIN deliveries/.test(sql) && isLost()) throw new Error('the connection was lost');
  };
  return {
    ...database,
    async query(sql, parameters) {
      check(sql);
      return database.query(sql, parameters);
    },
    transaction: (work) =>
      database.transaction((queries) =>
        work({
          ...queries,
          async query(sql, parameters) {
            check(sql);
            return queries.query(sql, parameters);
          },
        }),
      ),
  };
}

describeStores('a run whose delivery cannot be read', (newStore) => {
  it.concurrent('is sent once when the store is back', async (end) => {
    const store = await newStore();
    const each = await firingSetting(store, end, { limits: { account: 0 } });
    const endpoint = 'https://hooks.example.com/in';
    await each.triggers.putDelivery('acme', 'results', deliverySpec().parse({ endpoint }));
    const { id } = await each.fire({ delivery: 'results' });
    const database = await openStore(store);
    let lost = 0;
    const client = createClient({ url: each.emulator.apiUrl, apiKey: each.emulator.keys.admin, retry: { retries: 0 } });
    const worker = startWorker({
      database: losing(database, () => {
        lost += 1;
        return lost <= 2;
      }),
      client,
      sealer: createSealer([]),
      secrets: { env: {} },
      keeper: keepsNothing,
      limits: {},
      retention: { eventsMs: 1e10, runsMs: 1e10 },
      allowPrivate: true,
      log: { info: () => undefined, warn: () => undefined },
      stopMs: 100,
    });
    end.onTestFinished(async () => {
      await worker.stop();
      await client.close();
      await database.close();
    });
    await each.until(id, 'finished');
    expect({ sent: sent(each), lost: lost > 2 }).toEqual({ sent: 1, lost: true });
  });
});
