/** What a request must have, and where its result may go: told before anything is sent. */
import { expect, test } from 'vitest';
import type { OtherDelivery } from '../../src/client/areas/jobs/delivery.ts';
import type { ProxiedRequest } from '../../src/index.ts';
import { loopback } from './loopback.ts';
import { clientOf } from './setup.ts';

test.each(['zone', 'url', 'format'])('a proxied request without %s is not sent', async (field) => {
  const server = await loopback({ body: '' });
  const { [field]: _left, ...rest } = { zone: 'checkout', url: 'https://example.com/', format: 'raw' } as Record<
    string,
    string
  >;
  const sent = clientOf(server.url).request(rest as unknown as ProxiedRequest);
  await expect(sent).rejects.toMatchObject({
    name: 'ProblemError',
    problems: [{ code: 'missing-key', found: expect.stringContaining(field), path: [field] }],
  });
  expect(server.requests).toEqual([]);
});

/** A type more or less is an error of the compiler. */
const others: Record<OtherDelivery['type'], true> = {
  gcs: true,
  azure: true,
  sftp: true,
  webhook: true,
  snowflake: true,
  email: true,
};

test.each(Object.keys(others))('a delivery of type %s goes out as it is written', async (type) => {
  const server = await loopback({ body: { collection_id: 'j_1', start_eta: '2026-03-01T12:00:00Z' } });
  const deliver = { type, where: { secret_key: 'hidden' }, list: [1] } as unknown as OtherDelivery;
  await clientOf(server.url).collectors.trigger({ collector: 'c_prices', inputs: [{ url: 'x' }], deliver });
  expect(JSON.parse(server.requests[0]?.query.deliver ?? '')).toEqual(deliver);
});
