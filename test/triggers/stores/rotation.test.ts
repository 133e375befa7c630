/** A key is replaced: after that the one before it opens nothing, and is not needed. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { run } from '../../../src/cli/main.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { rotateKey } from '../../../src/triggers/ledger/rotation.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { ledgerSetting } from '../ledgerSetting.ts';
import { createScheduleRegistry } from '../registry.ts';
import { describeStores } from '../stores.ts';

const [before, after] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

/** What a command prints. */
async function printed(args: string[], env: Record<string, string>): Promise<string> {
  let text = '';
  const write = (piece: unknown) => {
    text += String(piece);
    return true;
  };
  const io = { stdout: { write }, stderr: { write }, cwd: tmpdir(), signal: new AbortController().signal, env };
  await run(args, io);
  return text;
}

describeStores('a new key', (newStore) => {
  it('re-encrypts all secrets, so that the previous key is no longer needed', async (end) => {
    const { store, database } = await ledgerSetting(newStore, end);
    const registry = createScheduleRegistry({ database, sealer: createSealer([String(before)]), policy: () => [] });
    const endpoint = 'https://hooks.example.com/in';
    const secret = 'Bearer s3cret-literal';
    await registry.putDelivery('acme', 'named', deliverySpec().parse({ endpoint, authorization: { env: 'HOOK_A' } }));
    await registry.putDelivery('acme', 'sealed', deliverySpec().parse({ endpoint, authorization: secret }));
    const inputs = [{ sealed: { hash: 'only an input' } }];
    const alerts = { endpoint: `${endpoint}?token=t0ken-literal` };
    for (const [name, spec] of [
      ['plain', { inputs }],
      ['sealed', { inputs, alerts, delivery: { endpoint, authorization: secret } }],
    ] as const)
      await registry.putSchedule('acme', name, scheduleSpec().parse({ collector: 'c_prices', every: '1h', ...spec }));
    const changed = (await registry.records('acme')).schedules.map(({ changedAt }) => changedAt);

    const env = { WEBDATA_TRIGGERS_STORE: store, WEBDATA_TRIGGERS_KEY: `${after},${before}` };
    expect(await printed(['triggers', 'rotate-key'], env)).toBe(
      'Re-encrypted with the first key: deliveries 1, schedules 1.\n',
    );

    const opened = async (table: string, column: string, key: unknown) => {
      const [row] = await database.query(`SELECT ${column} AS text FROM ${table} WHERE name = 'sealed'`);
      return JSON.stringify(createSealer([String(key)]).open(JSON.parse(String(row?.text))));
    };
    for (const [table, column] of [
      ['deliveries', 'spec'],
      ['schedules', 'spec'],
      ['schedules', 'brief'],
    ] as const) {
      expect(await opened(table, column, after)).toContain('s3cret-literal');
      await expect(opened(table, column, before)).rejects.toThrow('which is missing');
    }
    expect(await opened('schedules', 'spec', after)).toContain('only an input');
    expect((await registry.records('acme')).schedules.map(({ changedAt }) => changedAt)).toEqual(changed);
  });

  it('changes nothing if a needed key is missing', async (end) => {
    const { database, registry } = await ledgerSetting(newStore, end, [String(before)]);
    const spec = deliverySpec().parse({
      endpoint: 'https://hooks.example.com',
      authorization: 'Bearer s3cret-literal',
    });
    for (const name of ['a', 'b']) await registry.putDelivery('acme', name, spec);
    const stored = await database.query('SELECT * FROM deliveries ORDER BY name');
    await expect(rotateKey(database, createSealer([String(after)]))).rejects.toThrow('which is missing');
    expect(await database.query('SELECT * FROM deliveries ORDER BY name')).toEqual(stored);
  });
});
