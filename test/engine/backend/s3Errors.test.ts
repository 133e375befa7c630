/** The errors of S3 servers, answered by a server of the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openMemories } from '../../../src/engine/backend/open.ts';
import { openObjectStore } from '../../../src/engine/backend/store/open.ts';
import { openS3Store } from '../../../src/engine/backend/store/s3.ts';
import type { ObjectStore } from '../../../src/engine/backend/store.ts';

const secret = 'canary/secret+key';

afterEach(() => vi.unstubAllEnvs());

it.each(['0', '-1', 'soon', '4000'])('a lease of %s seconds is refused', async (seconds) => {
  const options = { folder: '.', env: { WEBDATA_LEASE_SECONDS: seconds } };
  await expect(openMemories('s3://bucket', options)).rejects.toMatchObject({
    problems: [{ code: 'invalid-lease', found: `WEBDATA_LEASE_SECONDS is "${seconds}"` }],
  });
});

describe('a store on an S3 server', () => {
  it.each([
    [403, 'AccessDenied', 'backend-denied', 'the credentials give no permission to read objects (AccessDenied)'],
    [403, 'SignatureDoesNotMatch', 'backend-denied', 'the credentials give no permission to read objects'],
    [404, 'NoSuchBucket', 'backend-absent', 'the bucket does not exist'],
    [400, 'AuthorizationHeaderMalformed', 'backend-refused', 'cannot read objects: AuthorizationHeaderMalformed'],
  ])('that answers %s %s', async (status, code, problem, found) => {
    await using server = await answering(() => [status, code]);
    await expectProblem(server.store.read('lock'), problem, found);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [500, 'InternalError'],
    [503, 'SlowDown'],
    [409, 'ConditionalRequestConflict'],
    [403, 'RequestTimeTooSkewed'],
  ])('that answers %s %s once is asked again', async (status, code) => {
    await using server = await answering((number) => (number === 1 ? [status, code] : [404, 'NoSuchKey']));
    expect(await server.store.read('lock')).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  it('that never answers anything but errors is unreachable', async () => {
    await using server = await answering(() => [503, 'SlowDown']);
    await expectProblem(server.store.create('lock', 'text'), 'backend-unreachable', 'is unreachable: SlowDown');
    expect(server.requests).toHaveLength(4);
  });

  it('that ignores conditions gets nothing but the probe', async () => {
    await using server = await answering(() => [200, '']);
    await expectProblem(server.store.create('lock', 'text'), 'backend-unsuitable', 'has no conditional writes');
    await expectProblem(server.store.replace('lock', 'text', '"1"'), 'backend-unsuitable', 'has no conditional writes');
    expect(new Set(server.requests.map(({ url }) => url?.split('?')[0]))).toEqual(
      new Set(['/state/team/conditional-writes']),
    );
  });

  it.each(['if-match', 'if-none-match'])('that ignores only %s is refused too', async (ignored) => {
    await using server = await answering((number, { headers }) =>
      number === 1 || headers[ignored] !== undefined ? [200, ''] : [412, 'PreconditionFailed'],
    );
    await expectProblem(server.store.create('lock', 'text'), 'backend-unsuitable', 'has no conditional writes');
  });

  it('that does not implement conditions is refused', async () => {
    await using server = await answering(() => [501, 'NotImplemented']);
    await expectProblem(server.store.create('lock', 'text'), 'backend-unsuitable', 'has no conditional writes');
  });

  it('that is probed while it is away is probed again at the next write', async () => {
    let isAway = true;
    const exists = (number: number): Answer => (isAway ? [500, 'InternalError'] : [number > 6 ? 200 : 412, '']);
    await using server = await answering(exists);
    await expectProblem(server.store.create('lock', 'text'), 'backend-unreachable', 'InternalError');
    isAway = false;
    expect(await server.store.create('lock', 'text')).toBe('"1"');
    const written = server.requests.length;
    await server.store.create('other', 'text');
    expect(server.requests).toHaveLength(written + 1);
  });

  it('that never answers is unreachable after a while', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIACANARY');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
    const store = await openS3Store({ bucket: 'state', prefix: '' }, process.env, 300);
    await expectProblem(store.read('lock'), 'backend-unreachable', 'is unreachable: ETIMEDOUT');
    await store.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it('cannot be used without credentials', async () => {
    await using server = await answering(() => [200, '']);
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    await expectProblem(server.store.read('lock'), 'backend-denied', 'CredentialsProviderError');
    expect(server.requests).toEqual([]);
  });
});

describe('the address of a store', () => {
  it.each([
    's3://',
    's3://Bucket_X/state',
    'gs://bucket/state',
    `https://user:${secret}@host/`,
    `postgres://user:${secret}%@host:port/database`,
  ])('%# is refused, and not quoted', async (address) => {
    await expectProblem(openObjectStore(address, {}), 'invalid-backend', '');
  });
});

type Answer = readonly [status: number, code: string];

interface Answering extends AsyncDisposable {
  store: ObjectStore;
  requests: IncomingMessage[];
}

async function answering(answer: (number: number, request: IncomingMessage) => Answer): Promise<Answering> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    const [status, code] = answer(requests.length, request);
    request.resume().on('end', () => {
      const headers = { 'content-type': 'application/xml', ...(status === 200 && { etag: '"1"' }) };
      response.writeHead(status, headers);
      response.end(status === 200 ? '' : `<Error><Code>${code}</Code><Message>${secret}</Message></Error>`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : 0;
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIACANARY');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
  const store = await openObjectStore('s3://state/team', process.env);
  return {
    store,
    requests,
    async [Symbol.asyncDispose]() {
      await store.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function expectProblem(call: Promise<unknown>, code: string, found: string): Promise<void> {
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ problems: [{ code, found: expect.stringContaining(found), fix: expect.any(String) }] });
  expect(JSON.stringify(error)).not.toMatch(/canary/i);
}
