/** The API as programs meet it: over sockets, on a ledger that is real. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServing, owner, type Serving, token, webhook, yearly } from './serving.ts';

describe('the API of the trigger service', () => {
  let serving: Serving;

  beforeAll(async () => {
    serving = await openServing();
  });
  afterAll(async () => serving?.[Symbol.asyncDispose]());

  const call: Serving['call'] = (...request) => serving.call(...request);
  const codesOf = ({ body }: { body: unknown }) =>
    (body as { error: { code: string }[] }).error.map(({ code }) => code);

  it('starts one run for orders with the same key, and keeps connections open for longer than load balancers use them', async () => {
    await serving.schedule('one');
    await serving.schedule('two');
    const order = async (name: string, key?: string) => {
      const headers = { authorization: `Bearer ${token}`, ...(key !== undefined && { 'idempotency-key': key }) };
      const response = await fetch(`${serving.url}/v1/owners/${owner}/schedules/${name}/run`, {
        method: 'POST',
        headers,
      });
      expect(response.headers.get('keep-alive')).toBe('timeout=75');
      return { status: response.status, body: (await response.json()) as { id: string } };
    };
    const [first, again] = await Promise.all([order('one', 'a'), order('one', 'a')]);
    expect(first).toMatchObject({ status: 200, body: { origin: 'hand', schedule: 'one' } });
    expect(again).toEqual(first);
    const others = await Promise.all([order('one', 'b'), order('two', 'a'), order('one'), order('one')]);
    expect(new Set([first, ...others].map(({ body }) => body.id)).size).toBe(5);
    expect(await order('one', '')).toMatchObject({ status: 400 });
  });

  it('registers deliveries and schedules, shows them to their owner, and takes them away again', async () => {
    const delivery = await call('PUT', '/v1/owners/shop/deliveries/results', webhook());
    expect(delivery).toMatchObject({
      status: 200,
      body: { owner: 'shop', name: 'results', spec: { compression: 'gzip' } },
    });
    const schedule = await call('PUT', '/v1/owners/shop/schedules/nightly', yearly({ delivery: 'results' }));
    expect(schedule).toMatchObject({
      status: 200,
      body: { name: 'nightly', nextTickAt: expect.any(Number), lastRun: null },
    });

    expect(await call('GET', '/v1/owners')).toMatchObject({ status: 200, body: expect.arrayContaining(['shop']) });
    expect(await call('GET', '/v1/owners/shop')).toMatchObject({
      body: { deliveries: [{ name: 'results' }], schedules: [{ name: 'nightly' }] },
    });

    const inUse = await call('DELETE', '/v1/owners/shop/deliveries/results');
    expect(inUse.status).toBe(409);
    expect(codesOf(inUse)).toEqual(['delivery-in-use']);
    expect(await call('DELETE', '/v1/owners/shop/schedules/nightly')).toEqual({ status: 204, body: undefined });
    expect(await call('DELETE', '/v1/owners/shop/deliveries/results')).toEqual({ status: 204, body: undefined });
    expect(await call('GET', '/v1/owners/shop')).toMatchObject({ body: { deliveries: [], schedules: [] } });
  });

  it('accepts owners with any characters, such as a slash, and the names that a declaration may have', async () => {
    const schedules = `/v1/owners/${encodeURIComponent('project/a b?ü%2F')}/schedules`;
    const path = `${schedules}/nightly-1.a_b`;
    expect(await call('PUT', path, yearly())).toMatchObject({
      body: { owner: 'project/a b?ü%2F', name: 'nightly-1.a_b' },
    });
    expect(await call('POST', `${path}/pause`)).toMatchObject({ status: 200, body: { spec: { paused: true } } });
    expect((await call('DELETE', path)).status).toBe(204);
    for (const name of ['a b', 'a/b', 'ü', '.a']) {
      const refused = await call('PUT', `${schedules}/${encodeURIComponent(name)}`, yearly());
      expect(refused).toMatchObject({ status: 422, body: { error: [{ code: 'wrong-record-name' }] } });
    }
  });

  it('reports the problems of a spec with their paths, and registers nothing', async () => {
    const refused = await call('PUT', '/v1/owners/shop/schedules/wrong', {
      collector: 'c_prices',
      cron: '61 * * * *',
      inputs: 3,
    });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: expect.arrayContaining([
          expect.objectContaining({ path: ['cron'] }),
          expect.objectContaining({ path: ['inputs'] }),
        ]),
      },
    });
    const nowhere = await call('PUT', '/v1/owners/shop/schedules/wrong', yearly({ delivery: 'nope' }));
    expect(nowhere.status).toBe(422);
    expect(nowhere).toMatchObject({ body: { error: [{ code: 'unknown-delivery', path: ['delivery'] }] } });
    expect(await call('GET', '/v1/schedules?owner=shop')).toEqual({ status: 200, body: [] });
  });

  it('answers 404 for an unknown record, and names it', async () => {
    const missing: [string, string, string][] = [
      ['DELETE', '/v1/owners/shop/schedules/none', 'unknown-schedule'],
      ['DELETE', '/v1/owners/shop/deliveries/none', 'unknown-delivery'],
      ['POST', '/v1/owners/shop/schedules/none/pause', 'unknown-schedule'],
      ['POST', '/v1/owners/shop/schedules/none/run', 'unknown-schedule'],
      ['GET', '/v1/runs/r_none', 'unknown-run'],
      ['GET', '/v1/nothing', 'unknown-route'],
      ['PATCH', '/v1/owners', 'unknown-route'],
    ];
    for (const [method, path, code] of missing) {
      const answer = await call(method, path);
      expect({ path, status: answer.status, codes: codesOf(answer) }).toEqual({ path, status: 404, codes: [code] });
    }
  });

  it('pauses, resumes and runs a schedule', async () => {
    await serving.schedule('by-hand');
    const path = `/v1/owners/${owner}/schedules/by-hand`;
    expect(await call('POST', `${path}/pause`)).toMatchObject({ body: { spec: { paused: true }, nextTickAt: null } });
    expect(await call('POST', `${path}/resume`)).toMatchObject({
      body: { spec: { paused: false }, nextTickAt: expect.any(Number) },
    });
    const run = await call('POST', `${path}/run`);
    expect(run).toMatchObject({ status: 200, body: { schedule: 'by-hand', origin: 'hand', state: 'waiting' } });
    expect(await call('GET', '/v1/runs?schedule=by-hand')).toMatchObject({
      body: [{ id: (run.body as { id: string }).id }],
    });
  });

  it('shows a run with its events, and lets a person resolve an unknown one, once', async () => {
    await serving.schedule('lost-answer');
    const run = await serving.run('lost-answer', { to: 'unknown', text: 'its answer was lost' });
    expect(await call('GET', `/v1/runs/${run.id}`)).toMatchObject({
      body: {
        run: { state: 'unknown', reason: 'its answer was lost' },
        events: [{ state: 'waiting' }, { state: 'unknown' }],
      },
    });
    const path = `/v1/runs/${run.id}/resolve`;
    expect((await call('POST', path, { as: 'triggered' })).status).toBe(422);
    expect((await call('POST', path, { as: 'forgotten' })).status).toBe(422);
    expect(await call('POST', path, { as: 'triggered', collectionId: 'j_1' })).toMatchObject({
      status: 200,
      body: { state: 'running', collectionId: 'j_1' },
    });
    const again = await call('POST', path, { as: 'lost' });
    expect(again.status).toBe(409);
    expect(codesOf(again)).toEqual(['run-not-unknown']);
  });

  it('filters and pages runs and schedules, and says which filter is wrong', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await serving.schedule(name, { collector: `c_${name}` });
    const names = async (query: string) =>
      ((await call('GET', `/v1/schedules?${query}`)).body as { name: string }[]).map(({ name }) => name);
    expect(await names('text=c_PAGE')).toEqual(['page-a', 'page-b', 'page-c']);
    expect(await names('text=page&limit=2')).toEqual(['page-a', 'page-b']);
    expect(await names(`text=page&limit=2&after=${owner}/page-b`)).toEqual(['page-c']);
    expect(await names('owner=nobody')).toEqual([]);

    const failed = await serving.run('page-a', { to: 'failed', text: 'refused' });
    await serving.run('page-b', { to: 'finished', text: 'done' });
    const ids = async (query: string) =>
      ((await call('GET', `/v1/runs?${query}`)).body as { id: string }[]).map(({ id }) => id);
    expect(await ids('state=failed')).toEqual([failed.id]);
    expect(await ids('state=failed,finished&limit=1')).not.toContain(failed.id);

    for (const [query, path] of [
      ['state=faild', 'state'],
      ['limit=0', 'limit'],
      ['ownr=a', 'ownr'],
    ]) {
      const answer = await call('GET', `/v1/runs?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { error: [{ path: [path] }] } });
    }
    for (const [query, found, allowed] of [
      ['runs?limit=abc', '`limit` is a string "abc"', 'an integer from 1 to 1000'],
      ['runs?limit=Infinity', '`limit` is a string "Infinity"', 'an integer from 1 to 1000'],
      ['runs?limit=', '`limit` is a string ""', 'an integer from 1 to 1000'],
      ['report?since=yesterday', '`since` is a string "yesterday"', 'a time in milliseconds since the epoch'],
      [
        'report?since=2026-02-30T00:00:00Z',
        '`since` is a string "2026-02-30T00:00:00Z"',
        'a time in milliseconds since the epoch',
      ],
      ['runs?owner=', '`owner` has 0 characters', 'at least 1 character'],
      ['schedules?brief=yes', '`brief` is a string "yes"', 'true or false'],
    ]) {
      const answer = await call('GET', `/v1/${query}`);
      expect([query, answer.body]).toMatchObject([query, { error: [{ found, allowed }] }]);
    }
    const { body } = await call('GET', '/v1/runs?limit=100000');
    expect(body).toMatchObject({
      error: [{ code: 'too-big', found: '`limit` is a string "100000"', allowed: 'an integer from 1 to 1000' }],
    });
  });

  it('takes inputs of tens of megabytes for a schedule, and nothing as large elsewhere', async () => {
    const inputs = Array.from({ length: 20 }, () => ({
      url: 'https://shop.example.com/',
      text: 'x'.repeat(1_000_000),
    }));
    expect((await call('PUT', '/v1/owners/large/schedules/large', yearly({ inputs }))).status).toBe(200);
    const tooLarge = await fetch(`${serving.url}/v1/owners/large/deliveries/large`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint: 'x'.repeat(9_000_000) }),
    });
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.json()).toMatchObject({ error: [{ code: 'body-too-large' }] });
    await call('DELETE', '/v1/owners/large/schedules/large');
  });

  it('refuses inputs that are nested more deeply than a file may be', async () => {
    const refused = await fetch(`${serving.url}/v1/owners/deep/schedules/deep`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: `{"collector":"c_x","every":"1h","inputs":[{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`,
    });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: [{ code: 'too-deep' }] });
  });
});
