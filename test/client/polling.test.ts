/** Waiting for a result: it has an end, goes on through faults that pass, and keeps to the pace that the service asks for. */
import { describe, expect, test } from 'vitest';
import type { PollProgress } from '../../src/client/areas/jobs/results/pollJob.ts';
import { loopback, type Reply } from './loopback.ts';
import { clientOf, failureOf } from './setup.ts';

const building: Reply = { body: { status: 'building' } };
const rows: Reply = { body: [{ title: 'Item 1' }] };
const noRetries = { retry: { retries: 0 } };

describe('a wait', () => {
  test('ends after the maximum wait with an error that says how to continue', async () => {
    const server = await loopback({ body: { status: 'collecting' } });
    const { collectors, datasets } = clientOf(server.url);
    const options = { pollMs: 5, maxWaitMs: 100 };
    const failure = await failureOf(collectors.wait('j_abc123', options));
    expect(failure).toEqual({
      code: 'max-wait-reached',
      message: expect.stringMatching(
        /dca\/dataset\?id=j_abc123 has no result after the maximum wait of 100ms \(\d+ polls?\): collecting$/,
      ),
      fix: "The job itself continues: collectors.wait('j_abc123') waits for it again.",
      effect: 'none',
    });
    expect(await failureOf(datasets.wait('s_abc123', options))).toMatchObject({
      code: 'max-wait-reached',
      fix: "The job itself continues: datasets.wait('s_abc123') waits for it again.",
    });
  });

  test('ends on time where the time between two polls is longer than the maximum wait', async () => {
    const server = await loopback(building);
    const failure = await failureOf(
      clientOf(server.url).collectors.wait('j_abc123', { pollMs: 3_600_000, maxWaitMs: 50 }),
    );
    expect(failure.code).toBe('max-wait-reached');
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test.each<[string, Reply]>([
    ['503', { status: 503, body: 'Snapshot not ready' }],
    ['500 with a page', { status: 500, body: '<html><title>Oops</title></html>' }],
    ['429', { status: 429 }],
    ['a lost connection', { fault: 'drop' }],
  ])('goes on after %s, and says so', async (_what, reply) => {
    const server = await loopback(building, reply, reply, rows);
    const told: PollProgress[] = [];
    const onProgress = (progress: PollProgress) => void told.push(progress);
    const { collectors } = clientOf(server.url, noRetries);
    const result = await collectors.wait('j_abc123', { pollMs: 5, onProgress });
    expect(result.state).toBe('ready');
    expect(told).toMatchObject([{ polls: 1 }, { polls: 2, said: expect.any(String) }, { polls: 3 }]);
    expect(told[0]?.said).toBeUndefined();
  });

  test('with endless faults ends after the maximum wait, with the last fault as the error', async () => {
    const server = await loopback({ status: 503, body: 'maintenance' });
    const options = { pollMs: 5, maxWaitMs: 60 };
    const failure = await failureOf(clientOf(server.url, noRetries).datasets.wait('s_abc123', options));
    expect(failure.code).toBe('max-wait-reached');
    expect(failure.message).toContain('was answered 503: maintenance');
  });

  test.each<[string, Reply, string]>([
    ['401', { status: 401, body: 'Snapshot not ready' }, 'unauthorized'],
    ['403', { status: 403, body: { status: 'building' } }, 'forbidden'],
    ['402', { status: 402, body: { error: 'Snapshot not ready' } }, 'refused'],
    ['501', { status: 501, body: 'building' }, 'server-error'],
    ['a failed job', { body: { status: 'failed', reason: 'blocked' } }, 'job-failed'],
    ['a job that timed out', { body: { state: 'timed_out' } }, 'job-failed'],
    ['410', { status: 410 }, 'not-found'],
    ['a page', { body: '<!doctype html><title>Sign in: building</title>' }, 'unexpected-answer'],
  ])('ends at once on %s', async (_what, reply, code) => {
    const server = await loopback(building, reply, rows);
    const { collectors } = clientOf(server.url, noRetries);
    expect((await failureOf(collectors.wait('j_abc123', { pollMs: 5 }))).code).toBe(code);
    expect(server.requests).toHaveLength(2);
  });

  test('of a job that was just triggered continues if the service does not know the job yet', async () => {
    const unknown: Reply = { status: 404, body: { error: 'Snapshot not found' } };
    const job = { body: { collection_id: 'j_abc123', start_eta: '2026-03-01T12:00:00.000Z' } };
    const server = await loopback(job, unknown, building, rows);
    const inputs = [{ url: 'https://shop.example.com/1' }];
    const { result } = await clientOf(server.url).collectors.run({ collector: 'c_prices', inputs }, { pollMs: 5 });
    expect(result.state).toBe('ready');
    const snapshot = await loopback(unknown, { status: 202 }, rows);
    const { datasets } = clientOf(snapshot.url);
    const ready = await datasets.wait('s_abc123', { pollMs: 5, triggeredAt: new Date() });
    expect(ready.state).toBe('ready');
  });

  test('ends at once where the address cannot be reached, unless the job was just triggered', async () => {
    const { collectors } = clientOf('http://127.0.0.1:9', noRetries);
    const options = { pollMs: 5, maxWaitMs: 50 };
    expect((await failureOf(collectors.wait('j_abc123', options))).code).toBe('unreachable');
    const triggeredAt = new Date();
    expect((await failureOf(collectors.wait('j_abc123', { ...options, triggeredAt }))).code).toBe('max-wait-reached');
  });

  test.each<[string, Reply]>([
    ['a notice', { ...building, headers: { 'retry-after': '1' } }],
    ['a refusal', { status: 425, headers: { 'retry-after': '1' } }],
    ['a fault', { status: 503, headers: { 'retry-after': '1' } }],
  ])('waits as long as the Retry-After of %s asks', async (_what, reply) => {
    const server = await loopback(reply, rows);
    const started = performance.now();
    await clientOf(server.url, noRetries).collectors.wait('j_abc123', { pollMs: 5 });
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(server.requests).toHaveLength(2);
  });

  test('is not shortened by a Retry-After', async () => {
    const server = await loopback({ ...building, headers: { 'retry-after': '0' } }, rows);
    const started = performance.now();
    await clientOf(server.url).collectors.wait('j_abc123', { pollMs: 300 });
    expect(performance.now() - started).toBeGreaterThan(280);
  });

  test.each([
    [{ pollMs: 0 }, 'pollMs is 0'],
    [{ pollMs: 2 ** 31 }, 'pollMs is 2147483648'],
    [{ pollMs: Number.NaN }, 'pollMs is NaN'],
    [{ maxWaitMs: Number.POSITIVE_INFINITY }, 'maxWaitMs is Infinity'],
    [{ maxWaitMs: -1 }, 'maxWaitMs is -1'],
  ])('with %j asks nothing', async (options, message) => {
    const server = await loopback(rows);
    expect(await failureOf(clientOf(server.url).collectors.wait('j_abc123', options))).toMatchObject({
      code: 'refused',
      message,
    });
    expect(server.requests).toEqual([]);
  });
});
