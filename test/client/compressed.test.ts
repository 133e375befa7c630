/** Compressed answers that the client holds in memory as a whole. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { loopback } from './loopback.ts';
import { clientOf, failureOf } from './setup.ts';
import { serverOfBytes } from './streams.ts';

const ext = { geo_db_2: 'us', geo_db_3: 'us', geo_db_4: 'us' };
const listing = gzipSync(JSON.stringify({ ips: [{ ip: '192.0.2.10', geo_db_1: 'us', ext }] }));

it('a compressed answer is read with any size limit, even one above what a buffer can hold', async () => {
  const url = await serverOfBytes(listing, 'gzip');
  for (const maxBodyBytes of [1000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    expect(await clientOf(url, { maxBodyBytes }).zones.ips('checkout')).toMatchObject([{ ip: '192.0.2.10' }]);
  }
});

it('a compressed answer that exceeds the size limit after decompression is an error', async () => {
  const zeros = gzipSync(Buffer.alloc(1_000_000));
  const client = clientOf(await serverOfBytes(zeros, 'gzip'), { maxBodyBytes: 100_000 });
  const { message } = await failureOf(client.zones.ips('checkout'));
  expect(zeros.length).toBeLessThan(100_000);
  expect(message).toContain('was answered with more than 100000 bytes');
});

it('a compressed answer that was cut off is an error', async () => {
  const cut = await serverOfBytes(listing.subarray(0, listing.length / 2), 'gzip');
  const { message } = await failureOf(clientOf(cut, { retry: { retries: 0 } }).zones.ips('checkout'));
  expect(message).toMatch(/was answered 200, but the answer broke off after \d+ bytes/);
});

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const)('a refusal keeps its code if its text (%s) is cut off or damaged', async (encoding, compress) => {
  const whole = compress('{"error":"Wrong key"}');
  for (const bytes of [whole.subarray(0, 12), whole.map((byte, at) => (at > 4 ? 255 : byte)), new Uint8Array()]) {
    const client = clientOf(await serverOfBytes(bytes, encoding, 401));
    expect(await failureOf(client.zones.ips('checkout'))).toMatchObject({ code: 'unauthorized' });
  }
});

it('a client closes after an answer that was too long to be read', async () => {
  const server = await loopback({ body: 'x'.repeat(2000), fault: 'stall' });
  const client = clientOf(server.url, { maxBodyBytes: 1000 });
  expect(await failureOf(client.zones.ips('checkout'))).toMatchObject({ code: 'unexpected-answer' });
  await client.close();
});

it('an answer without a body that names a coding is an error, and nothing waits for its bytes', async () => {
  const { url } = await loopback({ status: 304, headers: { 'content-encoding': 'gzip' }, body: '' });
  const { message } = await failureOf(clientOf(url, { retry: { retries: 0 } }).collectors.dataset('j_1'));
  expect(message).toContain('was answered 304');
});
