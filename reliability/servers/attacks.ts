/** The attacks on every server, by kind. Each attempt has its request and a judgment of the answer. */
import { type Heard, say } from './raw.ts';
import { type AttackTarget, token } from './targets.ts';

interface Attempt {
  kind: string;
  what: string;
  words: string;
  /** Returns why the answer is a failure, or undefined if the server held. */
  judge(heard: Heard): string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Writes a request as a client does. */
export function written(
  { right }: AttackTarget,
  more: Headers = {},
  { method = right.method, path = right.path, body = right.body } = {},
): string {
  const headers = {
    host: '127.0.0.1',
    ...right.headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

export function attemptsAt(target: AttackTarget): Attempt[] {
  return [
    ...wrongTokens(target),
    ...foreignHosts(target),
    ...foreignPages(target),
    ...malformed(target),
    ...paths(target),
    ...methods(target),
  ];
}

export async function made(target: AttackTarget, { words, judge }: Attempt): Promise<string | undefined> {
  return judge(await say(target.port, words));
}

/** Expects one of these statuses, and an answer that discloses nothing. */
function isRefused(...statuses: number[]) {
  return ({ status, text }: Heard): string | undefined => {
    if (status === undefined || !statuses.includes(status)) return `expected ${statuses.join(' or ')}, found ${status}`;
    return tells(text);
  };
}

/** Expects any refusal, or a closed connection. */
function isNotTaken({ status, text, closed }: Heard): string | undefined {
  if (status === undefined) return closed ? undefined : 'expected a refusal, found nothing in 5 s';
  return status >= 400 && status < 500 ? tells(text) : `expected a refusal, found ${status}`;
}

/** Finds text that no answer may contain. */
function tells(text: string): string | undefined {
  if (text.includes(token)) return 'the answer holds the token';
  if (/access-control-allow/i.test(text)) return 'the answer lets other sites read it';
  if (/\n\s+at .+:\d+:\d+|root:x:0/.test(text)) return 'the answer shows the inside of the machine';
  return undefined;
}

function wrongTokens(target: AttackTarget): Attempt[] {
  const values = [
    'Bearer wrong',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${encodeURIComponent(token)}`,
    `Bearer ${Buffer.from(token).toString('base64')}`,
    `Bearer "${token}"`,
    `Bearer x ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
    `Basic ${token}`,
    token,
    'Bearer ',
    'Bearer',
    'Bearer undefined',
    'Bearer null',
    'Bearer [object Object]',
    `Bearer ${'a'.repeat(8000)}`,
    '\u00ff\u00fe',
  ];
  const without = `${written(target).replace(/authorization: .*\r\n/, '')}`;
  const judge = isRefused(401);
  return [
    ...values.map((value) => ({
      kind: 'wrong authorization',
      what: value,
      words: written(target, { authorization: value }),
      judge,
    })),
    { kind: 'wrong authorization', what: 'none', words: without, judge },
    {
      kind: 'wrong authorization',
      what: 'in a cookie',
      words: without.replace('\r\n\r\n', `\r\ncookie: token=${token}\r\n\r\n`),
      judge,
    },
    {
      kind: 'wrong authorization',
      what: 'in the query',
      words: without.replace(
        ' HTTP/1.1',
        `${target.right.path.includes('?') ? '&' : '?'}token=${encodeURIComponent(token)} HTTP/1.1`,
      ),
      judge,
    },
  ];
}

/** Hosts that resolve to this machine, as a page of `evil.example` would use them. The receiver runs behind a proxy that keeps its host. */
function foreignHosts(target: AttackTarget): Attempt[] {
  if (target.name === 'receiver') return [];
  const hosts = [
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    '10.0.0.5',
    '0.0.0.0',
    '[::]',
    '169.254.169.254',
  ];
  return hosts.map((host) => ({
    kind: 'names that resolve to this machine',
    what: host,
    words: written(target, { host }),
    judge: isRefused(421, 400),
  }));
}

function foreignPages(target: AttackTarget): Attempt[] {
  const from: Headers[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://a.localhost' },
  ];
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json',
  ];
  const sent = from.flatMap((headers) => types.map((type) => ({ ...headers, 'content-type': type })));
  const method = target.right.method === 'GET' ? 'POST' : target.right.method;
  return [
    ...sent.map((headers) => ({
      kind: 'pages of other sites',
      what: JSON.stringify(headers),
      words: written(target, headers, { method }),
      judge: isRefused(403),
    })),
    ...['GET', 'PUT', 'POST', 'DELETE'].map((asked) => ({
      kind: 'pages of other sites',
      what: `may they ${asked}?`,
      words: written(
        target,
        {
          origin: 'https://evil.example',
          'access-control-request-method': asked,
          'access-control-request-headers': 'authorization',
        },
        { method: 'OPTIONS', body: '' },
      ),
      judge: isNotTaken,
    })),
  ];
}

/** Requests that two readers might interpret differently, or that use up memory. */
function malformed(target: AttackTarget): Attempt[] {
  const { path } = target.right;
  const start = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
  const second = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
  const words: Readonly<Record<string, string>> = {
    'two lengths': `${start}content-length: 2\r\ncontent-length: 4\r\n\r\n[]  `,
    'a length and chunks': `${start}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    'chunks twice over': `${start}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${second}`,
    'chunks with another case': `${start}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${second}`,
    'a space before the colon': `${start}content-length : 2\r\n\r\n[]`,
    'a folded header': `${start}content-length: 2\r\nx-a: 1\r\n b\r\n\r\n[]`,
    'a length that is no number': `${start}content-length: 0x2\r\n\r\n[]`,
    'a length below zero': `${start}content-length: -1\r\n\r\n`,
    'a chunk too long for a number': `${start}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
    'a NUL in a header': `${start}x-a: a\0b\r\n\r\n`,
    'a NUL in the path': `POST /a\0b HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
    'two hosts': `${start}host: evil.example\r\n\r\n`,
    'no host': `GET ${path} HTTP/1.1\r\n\r\n`,
    'no HTTP': 'hello\r\n\r\n',
    TLS: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n',
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a header of 1 MB': `${start}x-a: ${'a'.repeat(1024 * 1024)}\r\n\r\n`,
    '100,000 headers': `${start}${Array.from({ length: 100_000 }, (_, index) => `x-${index}: a\r\n`).join('')}\r\n`,
    'a path of 1 MB': `GET /${'a'.repeat(1024 * 1024)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
  };
  return Object.entries(words).map(([what, sent]) => ({
    kind: 'malformed requests',
    what,
    words: sent,
    judge: isNotTaken,
  }));
}

function paths(target: AttackTarget): Attempt[] {
  const hostile = [
    '/../../../../etc/passwd',
    '/page/../../../../etc/passwd',
    '/page/..%2f..%2f..%2fetc%2fpasswd',
    '/page/%2e%2e/%2e%2e/etc/passwd',
    '/page/..\\..\\etc\\passwd',
    '/..;/..;/etc/passwd',
    '//evil.example/',
    '/%00',
    '/%ff%fe',
    '/%',
    '/_emulator/../_emulator/../../etc/passwd',
    '/v1/owners/..%2f..%2f..%2fetc%2fpasswd/schedules/%2e%2e',
    '/__proto__/constructor/prototype',
    'http://169.254.169.254/latest/meta-data/',
    '/a'.repeat(4000),
  ];
  // The receiver accepts any path, because the path names the file. The wrong token makes it store nothing.
  return hostile.map((path) => ({
    kind: 'hostile paths',
    what: path.slice(0, 80),
    words: written(target, { authorization: 'Bearer wrong' }, { method: 'GET', path, body: '' }),
    judge: isNotTaken,
  }));
}

function methods(target: AttackTarget): Attempt[] {
  const unusual = ['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'MKCOL', 'LOCK', 'PURGE', 'OPTIONS', 'QUERY', 'FOO'];
  return unusual.map((method) => ({
    kind: 'unusual methods',
    what: method,
    words: written(target, {}, { method, body: '' }),
    judge: isNotTaken,
  }));
}
