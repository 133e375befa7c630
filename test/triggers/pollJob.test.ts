/** What one poll makes of the service's answer. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { failing, type ServiceErrorCode } from '../../src/client/errors.ts';
import type { PollClaim } from '../../src/triggers/ledger/polling.ts';
import { askJob } from '../../src/triggers/worker/pollJob.ts';
import { keepsNothing } from './keepsNothing.ts';

const triggeredAt = Date.UTC(2026, 2, 1, 12);
const run = (more: Partial<PollClaim> = {}) =>
  ({ id: 'r_1', target: 'c_prices', collectionId: 'j_1', triggeredAt, isMissing: false, ...more }) as PollClaim;
const dataset = { target: 'gd_people', collectionId: 's_1' };

async function* rowsOf(count: number) {
  for (let index = 0; index < count; index += 1) yield { index };
}

type Answer = (id: string, options: { format?: string; triggeredAt: Date }) => unknown;

function ask(answer: Answer, more?: Partial<PollClaim>, signal = new AbortController().signal) {
  const asked: unknown[] = [];
  const reply: Answer = async (id, options) => {
    asked.push([id, options.format, options.triggeredAt.getTime()]);
    return answer(id, options);
  };
  const client = { collectors: { dataset: reply }, datasets: { download: reply } } as unknown as Client;
  return askJob({ ...run(more), keep: undefined }, { client, keeper: keepsNothing, signal }).then((answered) => ({
    answered,
    asked,
  }));
}

const fail = (code: ServiceErrorCode, circumstances: object = {}) =>
  failing({ method: 'GET', url: 'http://service.example/dca/dataset', read: true }, {})(code, 'failed', circumstances);

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

describe('a poll', () => {
  it.each([
    ['of a collector', {}, { state: 'ready', rows: rowsOf(3) }, { status: 'finished', rows: 3 }],
    ['of a collector that is empty', {}, { state: 'empty' }, { status: 'finished', rows: 0 }],
    ['of a collector that has expired', {}, { state: 'expired' }, { status: 'expired' }],
    [
      'of a collector that is building',
      {},
      { state: 'building', said: 'collecting', retryAfterMs: 9000 },
      { status: 'building', words: 'collecting', retryAfterMs: 9000 },
    ],
    ['of a dataset', dataset, { state: 'ready', rows: rowsOf(2) }, { status: 'finished', rows: 2 }],
    [
      'of a dataset that is building',
      dataset,
      { state: 'building', said: 'starting' },
      { status: 'building', words: 'starting', retryAfterMs: undefined },
    ],
  ])('%s', async (_, more, answer, expected) => {
    const { answered, asked } = await ask(() => answer, more);
    expect(answered).toEqual(expected);
    expect(asked).toEqual(['target' in more ? ['s_1', 'ndjson', triggeredAt] : ['j_1', undefined, triggeredAt]]);
  });

  it('without a job fails, and asks nobody', async () => {
    expect(await ask(() => undefined, { collectionId: null })).toEqual({
      answered: { status: 'failed', text: 'the run has no collection id' },
      asked: [],
    });
  });

  it.each([
    ['job-failed', 'failed'],
    ['unauthorized', 'no-answer'],
    ['server-error', 'no-answer'],
    ['unexpected-answer', 'no-answer'],
    ['unreachable', 'no-answer'],
  ] as const)('that ends in %s: %s', async (code, status) => {
    const { answered } = await ask(throwing(fail(code, { retryAfterMs: 3000 })));
    const text = 'GET http://service.example/dca/dataset failed';
    expect(answered).toEqual(status === 'failed' ? { status, text } : { status, text, retryAfterMs: 3000 });
  });

  it('says first why it failed, in the words of the service', async () => {
    const { answered } = await ask(throwing(fail('job-failed', { status: 200, said: 'the page has changed.' })));
    expect(answered).toEqual({ status: 'failed', text: 'the page has changed (job failed)' });
  });

  it.each([
    ['of a collector', {}, { status: 'failed', text: 'GET http://service.example/dca/dataset failed' }],
    [
      'of a snapshot, whose rows may be there',
      dataset,
      { status: 'given-up', text: expect.stringContaining('Look it up in the control panel') },
    ],
    ['whose rows were there and could not be kept', { ...dataset, state: 'unkept' }, { status: 'expired' }],
  ] as const)('that does not find a job %s: once says nothing, twice in a row is final', async (_, more, expected) => {
    const answer = throwing(fail('not-found'));
    expect((await ask(answer, more)).answered).toMatchObject({ status: 'missing' });
    expect((await ask(answer, { ...more, isMissing: true })).answered).toEqual(expected);
    expect((await ask(throwing(fail('not-found', { status: 410 })), more)).answered).toMatchObject(
      expected.status === 'expired' ? expected : { status: expected.status },
    );
  });

  it('that is stopped says nothing about the job', async () => {
    expect((await ask(throwing(fail('aborted')), {}, AbortSignal.abort())).answered).toEqual({ status: 'released' });
  });

  it('that fails for another reason fails', async () => {
    await expect(ask(throwing(new TypeError('a defect')))).rejects.toThrow('a defect');
  });

  it('of a run without a time counts from now', async () => {
    const before = Date.now();
    const { asked } = await ask(() => ({ state: 'empty' }), { triggeredAt: null });
    const [[, , at = 0] = []] = asked as [string, unknown, number][];
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });
});

describe('a dataset in a format without lines', () => {
  const wrongFormat = fail('unexpected-answer');
  const bytes = async function* () {
    yield Buffer.from('a,b\n');
  };

  it('has finished if it exists as a table, with rows that are not counted', async () => {
    const { answered, asked } = await ask((_, { format }) => {
      if (format === 'csv') return { state: 'ready', bytes: bytes() };
      throw wrongFormat;
    }, dataset);
    expect(answered).toEqual({ status: 'finished', rows: null });
    expect(asked).toEqual([
      ['s_1', 'ndjson', triggeredAt],
      ['s_1', 'csv', triggeredAt],
    ]);
  });

  it('has not finished if the table is still building', async () => {
    const { answered } = await ask((_, { format }) => {
      if (format === 'csv') return { state: 'building' };
      throw wrongFormat;
    }, dataset);
    expect(answered).toMatchObject({ status: 'no-answer' });
  });

  it.each([
    ['an answer that may be another one later', fail('unexpected-answer', { transient: true })],
    ['a server error', fail('server-error', { status: 500 })],
    ['a failure of the job', fail('job-failed')],
  ])('is not assumed after %s', async (_, error) => {
    const { asked } = await ask(throwing(error), dataset);
    expect(asked).toHaveLength(1);
  });
});
