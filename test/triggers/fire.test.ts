/** The outcome of one attempt to trigger, for every way in which the preparation or the request can end. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { failing, type ServiceErrorCode } from '../../src/client/errors.ts';
import { parseProfile } from '../../src/client/profile.ts';
import { deliverySpec } from '../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import type { Claim } from '../../src/triggers/ledger/claiming.ts';
import { createSealer } from '../../src/triggers/secrets/secrets.ts';
import { type FiringDependencies, fire, stopwatch } from '../../src/triggers/worker/fire.ts';

const tickAt = Date.UTC(2026, 2, 1, 12);
const endpoint = 'https://hooks.example.com/in?token=canary';

function claimOf(
  spec: object = {},
  { delivery, ...more }: Partial<Claim> & { delivery?: Claim['delivery'] } = {},
): Claim {
  const inputs = [{ url: 'https://shop.example.com' }];
  const target = 'dataset' in spec ? {} : { collector: 'c_prices' };
  return {
    run: { id: 'r_1', tickAt, attempts: 1 } as Claim['run'],
    token: 't',
    spec: scheduleSpec().parse({ ...target, every: '1h', inputs, ...spec }),
    delivery,
    unpreparedSince: null,
    lateAfterMs: 60_000,
    ...more,
  };
}

/** A service that gives the same answer to every trigger, and keeps the triggers. */
function answering(answer: () => unknown) {
  const sent: unknown[] = [];
  const trigger = async (request: unknown) => {
    sent.push(request);
    return answer();
  };
  const client = { profile: parseProfile(), collectors: { trigger }, datasets: { trigger } } as unknown as Client;
  const dependencies: FiringDependencies = {
    client,
    sealer: createSealer([]),
    secrets: { env: {} },
  };
  return { sent, dependencies };
}

const url = `http://service.example/dca/trigger?deliver=${encodeURIComponent(endpoint)}`;

function failed(code: ServiceErrorCode, circumstances: object = {}): () => never {
  return () => {
    throw failing({ method: 'POST', url, read: false }, {})(code, 'failed', circumstances);
  };
}

const once = { retryOn5xx: false };

describe('the outcome of a request that', () => {
  it.each([
    ['is refused by status 422', failed('refused', { status: 422 }), {}, 'refused'],
    ['is refused by status 401', failed('unauthorized', { status: 401 }), {}, 'refused'],
    ['comes too often', failed('rate-limited', { status: 429, retryAfterMs: 7000 }), {}, 'not-sent'],
    ['reaches nobody', failed('unreachable', { sent: false }), {}, 'not-sent'],
    ['is aborted before it leaves', failed('aborted', { sent: false }), {}, 'not-sent'],
    ['is aborted after it has left', failed('aborted'), {}, 'lost'],
    ['cannot be made', failed('refused', { sent: false }), {}, 'refused'],
    ['loses its connection', failed('connection-lost'), {}, 'lost'],
    ['takes too long', failed('timed-out'), {}, 'lost'],
    ['has a server error', failed('server-error', { status: 503 }), {}, 'not-sent'],
    ['has a server error, and must not be sent twice', failed('server-error', { status: 503 }), once, 'lost'],
    ['has a server error, for a dataset', failed('server-error', { status: 503 }), { dataset: 'gd_people' }, 'lost'],
  ] as const)('%s', async (_, answer, spec, status) => {
    const { sent, dependencies } = answering(answer);
    const outcome = await fire(claimOf(spec), () => 0, dependencies);
    expect(outcome).toMatchObject({ status });
    expect(sent).toHaveLength(1);
    const text = 'text' in outcome ? outcome.text : '';
    expect(text).toContain('POST http://service.example/dca/trigger failed');
    expect(text).not.toContain('canary');
    expect(text.startsWith('outcome unknown: it may have been accepted and billed. ')).toBe(status === 'lost');
  });

  it('comes too often keeps the wait that the service asks for, and is not billed', async () => {
    const { dependencies } = answering(failed('rate-limited', { status: 429, retryAfterMs: 7000 }));
    const outcome = await fire(claimOf(), () => 0, dependencies);
    expect(outcome).toMatchObject({ status: 'not-sent', retryAfterMs: 7000 });
    expect(outcome).not.toHaveProperty('mayBeAccepted');
    expect('text' in outcome && outcome.text).not.toContain('billed');
  });

  it('has a server error may have been billed', async () => {
    const { dependencies } = answering(failed('server-error', { status: 500, retryAfterMs: 9000 }));
    expect(await fire(claimOf(), () => 0, dependencies)).toMatchObject({
      mayBeAccepted: true,
      retryAfterMs: 9000,
      text: expect.stringMatching(/\. It may have been accepted and billed$/),
    });
  });

  it('ends in an error that cannot be told is never said not to be sent', async () => {
    const { dependencies } = answering(() => {
      throw Object.create(null);
    });
    await expect(fire(claimOf(), () => 0, dependencies)).rejects.toThrow(TypeError);
  });

  it('ends in an error of another kind is lost', async () => {
    const { dependencies } = answering(() => {
      throw new TypeError('no answer');
    });
    expect(await fire(claimOf(), () => 0, dependencies)).toEqual({
      status: 'lost',
      text: 'outcome unknown: it may have been accepted and billed. no answer',
    });
  });
});

describe('the answer to a trigger', () => {
  const idOf = (id: string) => () => ({ collectionId: id, snapshotId: id });

  it.each(['j_1', 'x', 'x'.repeat(200)])('is accepted with an id such as %s', async (id) => {
    const { dependencies } = answering(idOf(id));
    expect(await fire(claimOf(), () => 0, dependencies)).toEqual({ status: 'accepted', collectionId: id });
  });

  it.each(['', 'j 1', 'j\n1', 'j\u00001', 'x'.repeat(201)])('is lost with an id that no job has: %j', async (id) => {
    const { dependencies } = answering(idOf(id));
    expect(await fire(claimOf(), () => 0, dependencies)).toMatchObject({
      status: 'lost',
      text: expect.stringMatching(
        new RegExp(`^outcome unknown: .*\\. The answer has no usable id: ".*", ${id.length} characters$`),
      ),
    });
  });
});

describe('a server that was suspended', () => {
  const accepted = () => ({ collectionId: 'j_1' });

  it('sends only while the lease outlasts the answer: 15 seconds after the claim, and not later', async () => {
    const { sent, dependencies } = answering(accepted);
    expect(await fire(claimOf(), () => 15_000, dependencies)).toMatchObject({ status: 'accepted' });
    expect(await fire(claimOf(), () => 15_001, dependencies)).toEqual({
      status: 'not-sent',
      text: 'the preparation took too long, or this server was suspended: nothing was sent',
    });
    expect(sent).toHaveLength(1);
  });

  it('measures by the clock that has advanced more', () => {
    const [now, wall] = [performance.now.bind(performance), Date.now];
    try {
      const since = stopwatch();
      const start = { monotonic: now(), wall: wall() };
      performance.now = () => start.monotonic + 1000;
      Date.now = () => start.wall + 60_000;
      expect(since()).toBeGreaterThanOrEqual(60_000);
      Date.now = () => start.wall - 60_000;
      expect(since()).toBeGreaterThanOrEqual(1000);
      expect(since()).toBeLessThan(60_000);
    } finally {
      performance.now = now;
      Date.now = wall;
    }
  });
});

describe('a request', () => {
  const accepted = () => ({ collectionId: 'j_1', snapshotId: 's_1' });
  const refusal = async (claim: Claim, more: Partial<FiringDependencies> = {}) => {
    const { sent, dependencies } = answering(accepted);
    const outcome = await fire(claim, () => 0, { ...dependencies, ...more });
    expect(sent).toEqual([]);
    return outcome;
  };

  it('names the tick wherever the run name has {tick}', async () => {
    const { sent, dependencies } = answering(accepted);
    await fire(claimOf({ runName: 'prices {tick} {tick}' }), () => 0, dependencies);
    const time = '2026-03-01T12:00:00.000Z';
    expect(sent).toMatchObject([{ collector: 'c_prices', name: `prices ${time} ${time}` }]);
  });

  it('is not sent without its delivery', async () => {
    expect(await refusal(claimOf({ delivery: 'results' }))).toEqual({
      status: 'refused',
      text: 'nothing was sent: delivery results is not registered',
    });
  });

  it('is not sent to an endpoint that is no longer allowed', async () => {
    const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com/in' });
    const claim = claimOf({ delivery: 'results' }, { delivery });
    expect(await refusal(claim, { endpointHosts: ['other.example.com'] })).toMatchObject({
      status: 'refused',
      text: expect.stringMatching(/^nothing was sent: .*hooks\.example\.com is not allowed/),
    });
    const { sent, dependencies } = answering(accepted);
    await fire(claim, () => 0, { ...dependencies, endpointHosts: ['hooks.example.com'] });
    expect(sent).toMatchObject([{ deliver: { type: 'webhook', endpoint: 'https://hooks.example.com/in' } }]);
  });

  it('is not sent with a delivery that does not fit the schedule', async () => {
    const delivery = deliverySpec().parse({ destination: { type: 'sftp', host: 'files.example.com' } });
    expect(await refusal(claimOf({ dataset: 'gd_people', delivery: 'results' }, { delivery }))).toMatchObject({
      status: 'refused',
      text: expect.stringContaining('nothing was sent: '),
    });
  });

  it('is not sent without a secret that is not set', async () => {
    const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com', authorization: { env: 'HOOK' } });
    const bindings = [{ name: 'HOOK', destination: 'https://hooks.example.com' }];
    const secrets = { env: { HOOK: '' }, bindings };
    expect(await refusal(claimOf({ delivery: 'results' }, { delivery }), { secrets })).toMatchObject({
      status: 'refused',
      text: expect.stringContaining('the variable HOOK is not set in the environment of the trigger service'),
    });
  });

  it('waits for a secret command that may work later', async () => {
    const authorization = { secret: 'hooks/results' };
    const delivery = deliverySpec().parse({ endpoint: 'https://hooks.example.com', authorization });
    const bindings = [{ name: 'hooks/results', destination: 'https://hooks.example.com' }];
    const secrets = { env: {}, command: ['/nowhere/vault'], bindings };
    expect(await refusal(claimOf({ delivery: 'results' }, { delivery }), { secrets })).toMatchObject({
      status: 'not-prepared',
      text: expect.stringContaining('the secret command failed for hooks/results: the program does not exist'),
    });
  });
});

describe('the reason of a failure', () => {
  const delivery = deliverySpec().parse({
    endpoint: 'https://hooks.example.com/services/canary',
    notify: { type: 'webhook', endpoint: 'https://alerts.example.com/canary' },
  });

  it('shows no path of an endpoint, however the service repeats it', async () => {
    const said = [
      'https://hooks.example.com/services/canary is wrong',
      encodeURIComponent('https://alerts.example.com/canary'),
      encodeURIComponent('https://other.example.com/canary'),
      'HTTP%3A%2F%2Fupper.example.com%2Fcanary',
    ].join(', ');
    const { dependencies } = answering(failed('refused', { status: 422, said }));
    const outcome = await fire(claimOf({ delivery: 'results' }, { delivery }), () => 0, dependencies);
    expect(outcome).toEqual({
      status: 'refused',
      text: `${[
        'https://hooks.example.com/… is wrong',
        'https://alerts.example.com/…',
        'https://other.example.com/…',
        'http://upper.example.com/…',
      ].join(', ')} (answered 422)`,
    });
  });
});
