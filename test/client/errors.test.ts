/** What a person reads when a call fails, whole; and what a program may rely on. */
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceError } from '../../src/client/errors.ts';
import { loopback, type Reply } from './loopback.ts';
import { apiKey, clientOf, failureOf } from './setup.ts';

const lookFirst = 'It is unknown whether the request took effect. Look at the live state before you send it again.';
const checkListing =
  'Check the URL. If this service uses other names for the geolocation databases, pin them: service: { profile: { geolocation: { first: NAME, others: [NAME] } } }';
const checkProfile =
  'Check the URL. If it is correct, this service differs from the specification (see the service profile).';
const migration = { from: 'checkout', to: 'pricing', ips: ['192.0.2.10'] };

/** Answers of `GET /zone/ips?zone=checkout`, tried once. */
const reads: [what: string, reply: Reply, failure: { code: string; message: string; fix: string }][] = [
  [
    'a key that is not valid, in a plain string',
    { status: 401, body: 'Invalid  token\n' },
    {
      code: 'unauthorized',
      message: 'was answered 401: Invalid token',
      fix: 'Use a valid API key (WEBDATA_API_KEY); moving IPs requires one of an Admin or Ops user. This one may have expired or been refreshed.',
    },
  ],
  [
    'a refusal in a JSON error object',
    { status: 403, body: { error: { message: 'no access' } } },
    {
      code: 'forbidden',
      message: 'was answered 403: no access',
      fix: 'Use the key of a user whose role may read zones; Admin and Ops may also change them.',
    },
  ],
  [
    'no such zone, in a JSON string',
    { status: 404, body: '"zone not found"' },
    {
      code: 'not-found',
      message: 'was answered 404: zone not found',
      fix: 'Check the URL and the names in the request.',
    },
  ],
  [
    'too many requests',
    { status: 429, headers: { 'retry-after': '2' }, body: 'slow down' },
    {
      code: 'rate-limited',
      message: 'was answered 429: slow down',
      fix: 'Wait, and make fewer concurrent calls. The service asks to wait 2 s.',
    },
  ],
  [
    'a page of a gateway',
    { status: 502, body: '<html><head><title>502 Bad Gateway</title></head></html>' },
    { code: 'server-error', message: 'was answered 502: 502 Bad Gateway', fix: 'Try again later.' },
  ],
  [
    'a redirect to another host',
    { status: 302, headers: { location: 'https://login.example.com/?token=secret-1' } },
    {
      code: 'unexpected-answer',
      message: 'was answered 302 with a redirect to https://login.example.com/?token=***',
      fix: 'The redirect was not followed: it leads to another host or forms a loop. If you trust the address, set it as the URL.',
    },
  ],
  [
    'HTML with 200',
    { body: '<!DOCTYPE html><title>Sign in</title>' },
    {
      code: 'unexpected-answer',
      message: 'was answered 200 with an HTML page instead of JSON: Sign in',
      fix: checkListing,
    },
  ],
  [
    'nothing with 200',
    {},
    { code: 'unexpected-answer', message: 'was answered 200 with an empty body', fix: checkListing },
  ],
  [
    'malformed JSON',
    { body: '{"ips": [' },
    {
      code: 'unexpected-answer',
      message: 'was answered 200 with malformed JSON',
      fix: 'The answer was cut off or damaged on its way. If that happens again, look at what is between this machine and the service, such as a proxy.',
    },
  ],
  [
    'a body that breaks off',
    { body: { ips: [] }, fault: 'truncate' },
    {
      code: 'unexpected-answer',
      message: 'was answered 200, but the answer broke off after 5 bytes',
      fix: checkListing,
    },
  ],
  [
    'an entry without an IP',
    { body: { ips: [{ ip: '192.0.2.10' }, { geo_db_1: 'us' }] } },
    {
      code: 'unexpected-answer',
      message:
        'was answered 200 with an unexpected shape: ips[1]: expected an entry with an `ip`, received {"geo_db_1":"us"}',
      fix: checkListing,
    },
  ],
  [
    'an error object with 200',
    { body: { error: 'Snapshot not ready' } },
    {
      code: 'unexpected-answer',
      message: 'was answered 200 with an unexpected shape: ips: expected a list, received nothing: Snapshot not ready',
      fix: checkListing,
    },
  ],
  [
    'a broken connection',
    { fault: 'drop' },
    {
      code: 'connection-lost',
      message: 'lost its connection before an answer (connection closed, UND_ERR_SOCKET)',
      fix: 'Try again.',
    },
  ],
];

test.each(reads)('a read: %s', async (_what, reply, { code, message, fix }) => {
  const server = await loopback(reply);
  const client = clientOf(server.url, { retry: { retries: 0 } });
  expect(await failureOf(client.zones.ips('checkout'))).toEqual({
    code,
    message: `GET ${server.url}/zone/ips?zone=checkout ${message}`,
    fix,
    effect: 'none',
  });
});

const writes: [what: string, reply: Reply, failure: { code: string; fix: string; effect: string }][] = [
  [
    'forbidden',
    { status: 403 },
    { code: 'forbidden', fix: 'Use the key of a user with the Admin or Ops role.', effect: 'none' },
  ],
  ['500', { status: 500 }, { code: 'server-error', fix: lookFirst, effect: 'unknown' }],
  ['a broken connection', { fault: 'drop' }, { code: 'connection-lost', fix: lookFirst, effect: 'unknown' }],
  [
    'an answer that breaks off',
    { body: { from: 'checkout' }, fault: 'truncate' },
    { code: 'unexpected-answer', fix: `${lookFirst} ${checkProfile}`, effect: 'unknown' },
  ],
  [
    'a refusal that breaks off',
    { status: 400, body: 'no such zone', fault: 'truncate' },
    { code: 'refused', fix: 'Compare the values of the request with the message of the service.', effect: 'none' },
  ],
  [
    'an error object with 200',
    { body: { error: 'no such zone' } },
    { code: 'unexpected-answer', fix: `${lookFirst} ${checkProfile}`, effect: 'unknown' },
  ],
];

test.each(writes)('a write: %s, and it is sent once', async (_what, reply, failure) => {
  const server = await loopback(reply);
  expect(await failureOf(clientOf(server.url).zones.migrate(migration))).toMatchObject(failure);
  expect(server.requests).toHaveLength(1);
});

const lost: [what: string, reply: Reply][] = [
  ['502', { status: 502 }],
  ['503', { status: 503, headers: { 'retry-after': '1' } }],
  ['an answer that breaks off', { body: { count: 1, ips: [] }, fault: 'truncate' }],
  ['malformed JSON', { body: '{"count":' }],
  ['a lost connection', { fault: 'drop' }],
  ['no answer in time', { fault: 'silence' }],
];

test.each(
  lost,
)('a write whose effect is unknown is not transient, and its advice is to look first: %s', async (_what, reply) => {
  const server = await loopback(reply);
  const client = clientOf(server.url, { timeoutMs: 100, retry: { retries: 0 } });
  const trigger = { datasetId: 'gd_1', inputs: [{ url: 'https://shop.example.com/' }] };
  for (const write of [() => client.zones.migrate(migration), () => client.datasets.trigger(trigger)]) {
    const error = await write().catch((each: unknown) => each);
    expect(error).toMatchObject({ effect: 'unknown', transient: false });
    const { fix } = error as ServiceError;
    expect(fix).toMatch(/^It is unknown whether/);
    expect(fix).not.toMatch(/try again|run it again/i);
  }
  const read = await client.zones.ips('checkout').catch((each: unknown) => each);
  expect(read).toMatchObject({ effect: 'none', transient: true });
});

const payments: [what: string, reply: Reply][] = [
  ['402', { status: 402 }],
  ['402 with words', { status: 402, body: { error: 'Payment required' } }],
  ['a balance', { status: 403, body: { error: 'Insufficient balance' } }],
  ['a payment method', { status: 403, body: 'Add a payment method first' }],
  ['billing', { status: 403, body: { message: 'account suspended by billing' } }],
  ['a quota', { status: 403, body: { error: { message: 'monthly quota exceeded' } } }],
];

test.each(payments)('a refusal for %s points to the account, not to a role', async (_what, reply) => {
  const server = await loopback(reply);
  const { zones, collectors } = clientOf(server.url);
  const trigger = { collector: 'c_prices', inputs: [{ url: 'https://shop.example.com/1' }] };
  for (const call of [() => zones.ips('checkout'), () => zones.migrate(migration), () => collectors.trigger(trigger)]) {
    const { fix, effect } = await failureOf(call());
    expect(fix).toMatch(/^Check the balance, the payment method/);
    expect(fix).not.toMatch(/role|permission/);
    expect(effect).toBe('none');
  }
});

test('nobody listens: nothing had an effect', async () => {
  const port = await closedPort();
  const client = clientOf(`http://127.0.0.1:${port}`);
  expect(await failureOf(client.zones.migrate(migration))).toEqual({
    code: 'unreachable',
    message: `POST http://127.0.0.1:${port}/zone/ips/migrate could not be sent (connection refused, ECONNREFUSED)`,
    fix: 'Check the URL, and that this machine can reach it.',
    effect: 'none',
  });
});

test('an https URL of a server that speaks plain HTTP', async () => {
  const { url } = await loopback({ status: 200, body: {} });
  const https = url.replace('http:', 'https:');
  const reason = 'the server does not speak TLS on this port, so its URL may begin with http://';
  expect(await failureOf(clientOf(https).zones.ips('checkout'))).toEqual({
    code: 'unreachable',
    message: `GET ${https}/zone/ips?zone=checkout could not be sent (${reason}, ERR_SSL_WRONG_VERSION_NUMBER)`,
    fix: 'Check the URL, and that this machine can reach it.',
    effect: 'none',
  });
});

test('something that speaks no HTTP', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
  const url = `http://127.0.0.1:${await portOf(server)}`;
  expect(await failureOf(clientOf(url).zones.ips('checkout'))).toEqual({
    code: 'unexpected-answer',
    message: `GET ${url}/zone/ips?zone=checkout was answered with something other than HTTP`,
    fix: checkListing,
    effect: 'none',
  });
});

test('no answer in time: unknown for a write, none for a read', async () => {
  const server = await loopback({ fault: 'silence' });
  const client = clientOf(server.url, { timeoutMs: 50, retry: { retries: 0 } });
  const [read, write] = [client.zones.ips('checkout'), client.zones.migrate(migration)];
  expect(await failureOf(read)).toEqual({
    code: 'timed-out',
    message: `GET ${server.url}/zone/ips?zone=checkout was not answered in time`,
    fix: 'Try again, or allow more time (timeoutMs).',
    effect: 'none',
  });
  expect(await failureOf(write)).toMatchObject({ code: 'timed-out', effect: 'unknown' });
});

test('an answer that stalls', async () => {
  const server = await loopback({ body: { ips: [] }, fault: 'stall' });
  const client = clientOf(server.url, { timeoutMs: 50, retry: { retries: 0 } });
  expect(await failureOf(client.zones.ips('checkout'))).toMatchObject({
    code: 'timed-out',
    message: `GET ${server.url}/zone/ips?zone=checkout was answered 200, but the answer stalled after 5 bytes`,
  });
});

test('an answer that is too long', async () => {
  const server = await loopback({ body: { ips: [] } });
  expect(await failureOf(clientOf(server.url, { maxBodyBytes: 9 }).zones.ips('checkout'))).toMatchObject({
    code: 'unexpected-answer',
    message: `GET ${server.url}/zone/ips?zone=checkout was answered with more than 9 bytes`,
  });
});

test('what was said is one line of at most 300 characters, without secrets and what steers a terminal', async () => {
  const server = await loopback({ status: 400, body: `\u001b[31mkey ${apiKey}\u202e ${'long '.repeat(100)}` });
  const { message } = await failureOf(clientOf(server.url).zones.ips('checkout'));
  const said = message.slice(message.indexOf('400: ') + 5);
  expect(said).toBe(`[31mkey *** ${'long '.repeat(100)}`.slice(0, 299).concat('…'));
});

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
