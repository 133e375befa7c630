/** Who may ask, what a browser is told not to do, what is logged, and what happens without the store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServing, owner, type Serving, token, webhook } from './serving.ts';

const canary = 'canary/of+a secret=';
const canaries = [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')];

describe('the trigger service, asked by strangers', () => {
  let serving: Serving;

  beforeAll(async () => {
    serving = await openServing();
  });
  afterAll(async () => serving?.[Symbol.asyncDispose]());

  const asked = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(serving.url + path, { ...init, headers });

  it('answers every API request without the token with 401 and no other information', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Basic ${token}` },
      { authorization: token },
      { cookie: `token=${token}` },
    ];
    for (const headers of wrong) {
      const answer = await asked('/v1/owners', headers);
      expect({ headers, status: answer.status }).toEqual({ headers, status: 401 });
      expect(await answer.json()).toMatchObject({ error: [{ code: 'wrong-token' }] });
    }
    for (const [method, path] of [
      ['GET', `/v1/totals?token=${token}`],
      ['PUT', '/v1/owners/a/schedules/b'],
      ['POST', '/v1/runs/r_1/resolve'],
      ['GET', '/metrics'],
    ] as const) {
      expect((await asked(path, {}, { method })).status).toBe(401);
    }
  });

  it('answers liveness and readiness without a token, and discloses no registrations', async () => {
    await serving.schedule('quiet-name');
    for (const path of [
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/',
      '/page/main.js',
      '/page/page.css',
      '/page/icon.svg',
    ]) {
      const answer = await asked(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toContain('quiet-name');
    }
    for (const probe of ['/', '/healthz', '/readyz'])
      expect((await asked(probe, {}, { method: 'HEAD' })).status).toBe(200);
  });

  it('accepts only JSON bodies, so that pages of other sites cannot send one', async () => {
    const path = `/v1/owners/${owner}/deliveries/results`;
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
      const answer = await asked(path, headers, { method: 'PUT', body: JSON.stringify(webhook()) });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({ error: [{ code: 'not-json' }] });
    }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const broken = await asked(path, headers, { method: 'PUT', body: `{"authorization": "${canary}` });
    expect(broken.status).toBe(400);
    const text = await broken.text();
    expect(JSON.parse(text)).toMatchObject({ error: [{ code: 'not-json' }] });
    expect(text).not.toContain(canary);
  });

  it('answers an unreadable path like any other error, without repeating the path', async () => {
    for (const [path, status] of [
      [`/v1/owners/%ZZ${encodeURIComponent(canary)}`, 400],
      [`/v1/owners/${encodeURIComponent(canary.repeat(100))}`, 414],
    ] as const) {
      const answer = await asked(path);
      const text = await answer.text();
      expect({ path, status: answer.status }).toEqual({ path, status });
      expect(JSON.parse(text)).toMatchObject({ error: [{ code: 'bad-request' }] });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      for (const secret of canaries) expect(text).not.toContain(secret);
    }
  });

  it('lets no other page read an answer, frame the page, or add to its scripts', async () => {
    const answer = await asked('/v1/owners', { authorization: `Bearer ${token}`, origin: 'https://evil.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await asked('/v1/owners', { origin: 'https://evil.example' }, { method: 'OPTIONS' })).status).toBe(404);
    const page = await asked('/');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    for (const each of [answer, page]) {
      expect(each.headers.get('x-content-type-options')).toBe('nosniff');
      expect(each.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('writes a line for each request, without its query, its headers or its body', async () => {
    const { call, lines } = serving;
    lines.length = 0;
    await call('GET', `/v1/schedules?text=${encodeURIComponent(canary)}`);
    await asked(`/unknown/${encodeURIComponent(canary)}`);
    await asked('/v1/owners', { authorization: `Bearer ${canary}` });
    await expect.poll(() => lines.length).toBe(3);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'GET', path: '/v1/schedules', status: 200, ms: expect.any(Number) },
      { method: 'GET', status: 404 },
      { method: 'GET', path: '/v1/owners', status: 401 },
    ]);
    for (const secret of [...canaries, token]) expect(lines.join('')).not.toContain(secret);
  });

  it('shows literal secrets of a delivery in no answer, event, figure or log line', async () => {
    const { call, lines } = serving;
    const spec = webhook({
      endpoint: `https://hooks.example.com/?token=${encodeURIComponent(canary)}`,
      authorization: `Bearer ${canary}`,
    });
    const answers = [
      await call('PUT', `/v1/owners/${owner}/deliveries/secret`, spec),
      await call('PUT', `/v1/owners/${owner}/deliveries/secret`, { ...spec, compression: 'zip' }),
      await call('PUT', `/v1/owners/${owner}/deliveries/secret`, { ...spec, authorization: [canary] }),
      await call('GET', `/v1/owners/${owner}`),
      await call('GET', '/v1/schedules'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200, 200]);
    const metrics = await (await asked('/metrics', { authorization: `Bearer ${token}` })).text();
    const seen = [JSON.stringify(answers), metrics, lines.join('')].join('\n');
    for (const secret of canaries) expect(seen).not.toContain(secret);
  });
});

describe('the trigger service without its store', () => {
  it('stays alive, reports that it is not ready, and explains each 503', async () => {
    await using serving = await openServing();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
    await serving.database.close();
    const ready = await fetch(`${serving.url}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({
      status: 503,
      body: {
        error: [{ code: 'store-away', found: `the store ${serving.database.name} does not answer: it is closed` }],
      },
    });
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
    expect(await serving.call('GET', '/v1/owners')).toMatchObject({
      status: 503,
      body: { error: [{ code: 'store-away' }] },
    });
    const metrics = await (await fetch(`${serving.url}/metrics`, { headers })).text();
    expect(metrics).toContain('webdata_triggers_store_up 0');
    expect(metrics).toContain('webdata_triggers_late_runs Nan');
  });
});
