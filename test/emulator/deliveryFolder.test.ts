/** Deliveries to where no webhook is: files below one folder, and never outside of it. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialectSchema } from '../../src/emulator/dialect/dialect.ts';
import { type AccountInput, type Emulator, readAccount } from '../../src/emulator/index.ts';
import { destinationOf, pathOf } from '../../src/emulator/jobs/destinations.ts';
import { temporaryFolder } from '../temporary.ts';
import { get, start } from './helpers.ts';
import { jsonOf, receiver } from './receiver.ts';
import { movedClock, started, trigger } from './runs.ts';

const account: AccountInput = {
  id: 'hl_example',
  collectors: { c_prices: { row: { title: 'Item {n}' } } },
  dialect: { delivery: { attempts: 2, firstDelayMs: 1 } },
};

interface Delivered {
  emulator: Emulator;
  id: string;
}

async function deliver(
  to: object,
  { more = {}, query = {} }: { more?: AccountInput | object; query?: Record<string, string> } = {},
): Promise<Delivered> {
  const { clock } = movedClock();
  const emulator = await start({ ...account, ...more }, { clock });
  const id = await started(
    emulator,
    `${new URLSearchParams({ collector: 'c_prices', deliver: JSON.stringify(to), ...query })}`,
  );
  await expect.poll(() => emulator.deliveries().every(({ state }) => state !== 'waiting')).toBe(true);
  return { emulator, id };
}

const credentials = { 'aws-access-key': 'AKIAEXAMPLE01', 'aws-secret-key': 's3-secret-value' };
const filename = { template: 'run-{[datetime]}', extension: 'json' };

describe('a delivery', () => {
  test.each([
    [{ type: 's3', bucket: 'results', directory: 'prices/daily', filename, credentials }, 's3/results/prices/daily'],
    [{ type: 'gcs', bucket: 'results', filename }, 'gcs/results'],
    [{ type: 'azure', name: 'container', directory: '/in/', filename }, 'azure/container/in'],
    [{ type: 'sftp', directory: 'upload', filename, bucket: 5 }, 'sftp/c_prices/upload'],
    [{ type: 'snowflake', name: 'warehouse', filename }, 'snowflake/warehouse'],
    [{ type: 'email', filename }, 'email/c_prices'],
  ])('of %j is a file in %s', async (to, folder) => {
    const deliverTo = temporaryFolder();
    const { emulator, id } = await deliver(to, { more: { deliverTo } });
    const file = `${folder}/run-20260301T120000Z.json`;
    expect(emulator.deliveries()).toEqual([
      { run: id, carries: 'result', type: to.type, file, state: 'delivered', attempts: ['written'] },
    ]);
    const rows = JSON.parse(await readFile(join(deliverTo, file), 'utf8'));
    expect(rows).toEqual((await get(emulator, `/dca/dataset?id=${id}`)).body);
    expect(await readdir(join(deliverTo, folder))).toEqual(['run-20260301T120000Z.json']);
  });

  test.each([
    ['ndjson', '{"title":"Item 1","input":{"url":"https://shop.example.com/1"}}\n'],
    ['csv', 'title,input\r\nItem 1,'],
  ])('with the extension %s is written as such', async (extension, beginning) => {
    const deliverTo = temporaryFolder();
    const to = { type: 's3', bucket: 'results', filename: { template: 'rows', extension } };
    await deliver(to, { more: { deliverTo } });
    expect((await readFile(join(deliverTo, 's3/results', `rows.${extension}`), 'utf8')).startsWith(beginning)).toBe(
      true,
    );
  });

  test('without a filename is named after its run, and replaces a file of the same name', async () => {
    const deliverTo = temporaryFolder();
    const { id } = await deliver({ type: 's3', bucket: 'results' }, { more: { deliverTo } });
    expect(await readdir(join(deliverTo, 's3/results'))).toEqual([`${id}.json`]);
    const to = { type: 's3', bucket: 'results', filename: { template: id, extension: 'json' } };
    await deliver(to, { more: { deliverTo, collectors: { c_prices: { rows: [] } } } });
    expect(await readFile(join(deliverTo, 's3/results', `${id}.json`), 'utf8')).toBe('[]');
  });

  test('gets its final name only when it is complete', async () => {
    const deliverTo = temporaryFolder();
    const emulator = await start({
      ...account,
      deliverTo,
      collectors: { c_prices: { rows: 100_000, row: { n: '{n}' } } },
    });
    const to = { type: 's3', bucket: 'results', filename: { template: 'rows', extension: 'ndjson' } };
    await started(emulator, `${new URLSearchParams({ collector: 'c_prices', deliver: JSON.stringify(to) })}`);
    const file = join(deliverTo, 's3/results/rows.ndjson');
    while (!existsSync(file)) await turn();
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(100_001);
  });

  test('that cannot be written is retried, then fails, and leaves no file', async () => {
    const deliverTo = temporaryFolder();
    await writeFile(join(deliverTo, 's3'), 'a file where a folder should be');
    const { emulator } = await deliver({ type: 's3', bucket: 'results' }, { more: { deliverTo } });
    expect(emulator.deliveries()).toMatchObject([{ state: 'given-up', attempts: ['unwritable', 'unwritable'] }]);
    expect(await readdir(deliverTo)).toEqual(['s3']);
  });

  test('without a folder is not written, and the notification is still sent', async () => {
    const hook = await receiver(200);
    const notify = JSON.stringify({ type: 'webhook', endpoint: hook.url });
    const { emulator, id } = await deliver({ type: 's3', bucket: 'results', credentials }, { query: { notify } });
    expect(emulator.deliveries()).toEqual([
      { run: id, carries: 'result', type: 's3', state: 'withheld', attempts: [] },
      { run: id, carries: 'notification', type: 'webhook', url: `${hook.url}/`, state: 'delivered', attempts: [200] },
    ]);
    expect(hook.received.map(jsonOf)).toEqual([{ collection_id: id, status: 'ready' }]);
  });

  test('is followed by an email notification, which is a file too', async () => {
    const deliverTo = temporaryFolder();
    const notify = JSON.stringify({ type: 'email' });
    const { emulator, id } = await deliver(
      { type: 's3', bucket: 'results' },
      { more: { deliverTo }, query: { notify } },
    );
    const file = `email/c_prices/notifications/${id}.json`;
    expect(emulator.deliveries()).toMatchObject([
      { type: 's3' },
      { carries: 'notification', state: 'delivered', file },
    ]);
    expect(JSON.parse(await readFile(join(deliverTo, file), 'utf8'))).toEqual({ collection_id: id, status: 'ready' });
  });

  test('of a webhook needs its endpoint, and wrong fields of s3 are refused', async () => {
    const emulator = await start(account);
    for (const [to, field] of [
      [{ type: 'webhook' }, 'deliver.endpoint'],
      [{ type: 's3', bucket: 5 }, 'deliver.bucket'],
    ] as const) {
      const query = `${new URLSearchParams({ collector: 'c_prices', deliver: JSON.stringify(to) })}`;
      const said = expect.stringContaining(`Bad request: ${field}: `);
      expect(await trigger(emulator, query)).toMatchObject({ status: 400, text: said });
    }
  });
});

describe('whatever a delivery says', () => {
  test('its file is below the folder', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '..',
        '../../etc',
        '/etc/passwd',
        'a\0b',
        '.',
        '',
        '..\\..',
        'C:\\x',
        '{[datetime]}',
        'é'.repeat(300),
      ),
    );
    const root = resolve('/deliveries');
    fc.assert(
      fc.property(odd, odd, odd, odd, (bucket, directory, template, extension) => {
        const to = destinationOf(
          { type: 's3', bucket, directory, filename: { template, extension } },
          { id: 'j_1', of: 'c_a' },
          dialectSchema.parse({}).webhookFields,
        );
        if (to.type === 'webhook') return;
        const path = pathOf(to, new Date(0));
        expect(resolve(root, path).startsWith(`${root}${sep}s3${sep}`)).toBe(true);
        const names = path.split(sep);
        expect(names.length).toBeGreaterThanOrEqual(3);
        for (const name of names) {
          expect(name).not.toMatch(/^\.{0,2}$|[\0\\:]/);
          expect(Buffer.byteLength(name)).toBeLessThan(255);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    { bucket: '../../outside', directory: 'x' },
    { bucket: 'results', directory: '../../../outside' },
    { bucket: 'results', directory: '/outside' },
    { bucket: 'results', directory: '..\\..\\outside' },
    { bucket: 'results', filename: { template: '../../../outside', extension: 'json' } },
    { bucket: 'results', filename: { template: 'x', extension: 'json/../../../../outside' } },
    { bucket: 'a\0b', directory: '\0', filename: { template: '\0', extension: '\0' } },
    { bucket: '..', directory: '..', filename: { template: '..', extension: '' } },
  ])('nothing is written elsewhere by %j', async (fields) => {
    const parent = temporaryFolder();
    const deliverTo = join(parent, 'a', 'deliveries');
    await mkdir(deliverTo, { recursive: true });
    const { emulator } = await deliver({ type: 's3', ...fields }, { more: { deliverTo } });
    const [report] = emulator.deliveries();
    expect(report).toMatchObject({ state: 'delivered' });
    expect(existsSync(join(deliverTo, report?.file ?? ''))).toBe(true);
    expect([await readdir(parent), await readdir(join(parent, 'a'))]).toEqual([['a'], ['deliveries']]);
    expect(existsSync('/outside')).toBe(false);
  });
});

test('an account file names the delivery of a collector, and its folder relative to itself', async () => {
  const folder = temporaryFolder();
  const text =
    'id: hl_example\ndeliverTo: results\ncollectors: { c_a: { rows: [], deliver: { type: s3, bucket: daily } } }\n';
  await writeFile(join(folder, 'account.yaml'), text);
  const emulator = await start(await readAccount(join(folder, 'account.yaml')));
  const id = await started(emulator, 'collector=c_a');
  await expect.poll(() => emulator.deliveries()).toMatchObject([{ state: 'delivered' }]);
  expect(await readFile(join(folder, `results/s3/daily/${id}.json`), 'utf8')).toBe('[]');
});
