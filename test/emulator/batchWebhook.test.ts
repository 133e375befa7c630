/** The webhook of a batch (B1): the specification shows none of its fields. */
import { describe, expect, test } from 'vitest';
import { type AccountInput, type Emulator, parseAccount } from '../../src/emulator/index.ts';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { triggerOf } from '../../src/triggers/worker/trigger.ts';
import { clientOf } from '../client/setup.ts';
import { get, start } from './helpers.ts';
import { type Call, type Hook, jsonOf, receiver } from './receiver.ts';
import { shop, started, trigger } from './runs.ts';

const account: AccountInput = { id: 'hl_example', collectors: { c_prices: { row: { title: 'Item {n}' } } } };
const authorization = 'Bearer hook-canary';

/** The query of a trigger whose result goes to the hook. */
const toHook = ({ url }: Hook, fields: object = {}): string =>
  `${new URLSearchParams({ collector: 'c_prices', deliver: JSON.stringify({ type: 'webhook', endpoint: url, ...fields }) })}`;

/** What the hook is sent, once it has come. */
async function callOf({ received }: Hook): Promise<Call> {
  await expect.poll(() => received.length).toBe(1);
  const [call] = received;
  if (call === undefined) throw new Error('nothing was received');
  return call;
}

async function rowsOf(emulator: Emulator, id: string): Promise<unknown> {
  return (await get(emulator, `/dca/dataset?id=${id}`)).body;
}

describe('the webhook of a batch', () => {
  test.each([
    [{}, 'gzip', undefined],
    [{ uncompressed_webhook: false }, 'gzip', undefined],
    [{ uncompressed_webhook: true }, undefined, undefined],
    [{ webhook_header_Authorization: authorization }, 'gzip', authorization],
    [{ uncompressed_webhook: true, webhook_header_Authorization: authorization }, undefined, authorization],
  ])('with %j gets its rows in the encoding %s, with the authorization %s', async (fields, encoding, sent) => {
    const hook = await receiver(200);
    const emulator = await start(account);
    const id = await started(emulator, toHook(hook, fields));
    const call = await callOf(hook);
    expect(call.headers['content-encoding']).toBe(encoding);
    expect(call.headers.authorization).toBe(sent);
    expect(jsonOf(call)).toEqual(await rowsOf(emulator, id));
  });

  test('gets what the delivery of a schedule says', async () => {
    const hook = await receiver(200);
    const emulator = await start(account);
    const client = clientOf(emulator.apiUrl, { apiKey: emulator.keys.user });
    const delivery = deliverySpec().parse({ endpoint: hook.url, compression: 'none', authorization });
    const spec = scheduleSpec().parse({ collector: 'c_prices', every: '1d', inputs: shop });
    const triggered = triggerOf(spec, delivery, client.profile);
    if (triggered.target === 'collector') await client.collectors.trigger(triggered.trigger);
    const { headers } = await callOf(hook);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.authorization).toBe(authorization);
  });

  test.each([
    [{ endpoint: 'ftp://hooks.example.com' }, 'deliver.endpoint'],
    [{ uncompressed_webhook: 'yes' }, 'deliver.uncompressed_webhook'],
    [{ webhook_header_Authorization: 5 }, 'deliver.webhook_header_Authorization'],
  ])('with %j is refused, and the field named', async (fields, field) => {
    const emulator = await start(account);
    const { status, text } = await trigger(emulator, toHook(await receiver(200), fields));
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(`Bad request: ${field}: `) });
  });

  test('is authorized by a value that no log shows', async () => {
    const hook = await receiver(200);
    const emulator = await start(account);
    await started(emulator, toHook(hook, { webhook_header_Authorization: authorization }));
    expect((await callOf(hook)).headers.authorization).toBe(authorization);
    const shown = JSON.stringify([emulator.requests(), emulator.deliveries(), emulator.state()]);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain('hook-canary');
  });
});

describe('the webhook of a collector', () => {
  test('gets what its account file says', async () => {
    const hook = await receiver(200);
    const emulator = await start(
      parseAccount(
        `id: hl_example
collectors:
  c_prices:
    deliver: { type: webhook, endpoint: "${hook.url}", uncompressed_webhook: true, webhook_header_Authorization: ${authorization} }
`,
        'account.yaml',
      ),
    );
    const id = await started(emulator, 'collector=c_prices');
    const call = await callOf(hook);
    expect(call.headers.authorization).toBe(authorization);
    expect(JSON.parse(String(call.body))).toEqual(await rowsOf(emulator, id));
    expect(JSON.stringify(emulator.state())).not.toContain('hook-canary');
  });

  test('is an error of the account file if it has no URL', () => {
    const text = `id: hl_example
collectors:
  c_prices:
    deliver: { type: webhook, url: https://hooks.example.com }
`;
    expect(() => parseAccount(text, 'account.yaml')).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            found: '`endpoint` is missing',
            path: ['collectors', 'c_prices', 'deliver', 'endpoint'],
            place: expect.objectContaining({ line: 4 }),
          }),
        ],
      }),
    );
  });
});
