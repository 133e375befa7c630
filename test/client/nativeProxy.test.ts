/** The native proxy from code: user names and URLs, requests through an emulator, and what its refusals are told as. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { request, fetch as undiciFetch } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import type { ServiceError } from '../../src/client/errors.ts';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import { type NativeProxyOptions, nativeProxy, proxyCredentials, proxyUrl } from '../../src/index.ts';
import { loopback } from './loopback.ts';

/** Makes the certificate of a test; not every machine has it. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const password = 'checkout-password';
const zone = { accountId: 'hl_example', zone: 'checkout', password };

async function emulated(): Promise<Emulator> {
  const account = {
    id: 'hl_example',
    zones: { checkout: { password } },
    pages: { 'http://example.com/': { body: 'Example page' } },
  };
  const emulator = await startEmulator(account, { proxyPort: 0 });
  onTestFinished(() => emulator.close());
  return emulator;
}

async function dispatcherFor(emulator: Emulator, more: Partial<NativeProxyOptions> = {}) {
  const { hostname, port } = new URL(emulator.proxyUrl ?? '');
  const dispatcher = await nativeProxy({ ...zone, host: hostname, port: Number(port), ...more });
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

function problemsOf(call: () => unknown): readonly Problem[] {
  try {
    call();
  } catch (error) {
    return (error as ProblemError).problems;
  }
  throw new Error('nothing was found');
}

describe('user names and URLs', () => {
  test('are made as the specification shows them', () => {
    expect(proxyCredentials(zone)).toEqual({ username: 'svc-customer-hl_example-zone-checkout', password });
    expect(proxyUrl({ ...zone, host: 'proxy.example.com' })).toBe(
      'http://svc-customer-hl_example-zone-checkout:checkout-password@proxy.example.com:44445',
    );
    expect(proxyUrl({ ...zone, host: '::1', port: 1 })).toContain('@[::1]:1');
  });

  test('take the prefix from the profile, and more parts', () => {
    const { username } = proxyCredentials({
      ...zone,
      options: { country: 'us', session: 'a1' },
      profile: { proxyUserPrefix: 'odd' },
    });
    expect(username).toBe('odd-customer-hl_example-zone-checkout-country-us-session-a1');
  });

  test.each([
    [{ accountId: 'example' }, 'accountId'],
    [{ accountId: 'hl_a-b' }, 'accountId'],
    [{ zone: '' }, 'zone'],
    [{ zone: 'check out' }, 'zone'],
    [{ zone: `checkout:${password}` }, 'zone'],
    [{ zone: 'caf\u00e9' }, 'zone'],
    [{ password: '' }, 'password'],
    [{ password: `${password} ` }, 'password'],
    [{ password: `${password}\n` }, 'password'],
    [{ password: 'checkout password' }, 'password'],
    [{ options: { country: 'u-s' } }, 'options.country'],
  ])('%j is refused, with the field and the rule, and is not shown', (more, field) => {
    const [problem] = problemsOf(() => proxyCredentials({ ...zone, ...more }));
    expect(problem).toMatchObject({ found: expect.stringContaining('is a string'), path: field.split('.') });
    expect(problem?.allowed).toMatch(/^(the|one) .*without spaces/);
  });

  test.each([
    '',
    'http://proxy.example.com',
    'proxy.example.com:1',
    'a@b',
    'a/b',
    'a b',
  ])('the host %j is refused', (host) =>
    expect(problemsOf(() => proxyUrl({ ...zone, host }))).toMatchObject([{ path: ['host'] }]));

  test.each([0, 65_536, 1.5, Number.NaN])('the port %d is refused', (port) => {
    expect(problemsOf(() => proxyUrl({ ...zone, host: 'a.example', port }))).toMatchObject([{ path: ['port'] }]);
  });

  test('every password without spaces comes out of the URL as it went in', () => {
    const passwords = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\s\p{Cc}]/u.test(text));
    fc.assert(
      fc.property(passwords, (any) => {
        const url = new URL(proxyUrl({ ...zone, password: any, host: 'proxy.example.com' }));
        expect(decodeURIComponent(url.password)).toBe(any);
        expect(url.host).toBe('proxy.example.com:44445');
      }),
    );
  });
});

describe('requests through it', () => {
  test('reach pages and targets, with undici and with the fetch of Node', async () => {
    const target = await loopback({ body: 'from the target' });
    const dispatcher = await dispatcherFor(await emulated());
    const page = await request('http://example.com/', { dispatcher });
    expect(await page.body.text()).toBe('Example page');
    expect(await (await undiciFetch(target.url, { dispatcher })).text()).toBe('from the target');
    const init = { dispatcher } as RequestInit;
    expect(await (await fetch('http://example.com/', init)).text()).toBe('Example page');
  });

  test.skipIf(!hasOpenssl && process.env.CI === undefined)(
    'a tunnel reaches a TLS target whose certificate is given, and says so where it is not',
    async () => {
      const { ca, key } = certificate();
      const server = createServer({ cert: ca, key }, (_, response) => response.end('over TLS'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
      const emulator = await emulated();
      const trusting = await dispatcherFor(emulator, { ca });
      expect(await (await request(url, { dispatcher: trusting })).body.text()).toBe('over TLS');
      expect(await (await fetch(url, { dispatcher: trusting } as RequestInit)).text()).toBe('over TLS');
      const error = await failure(request(url, { dispatcher: await dispatcherFor(emulator) }));
      expect(error).toMatchObject({ code: 'unreachable', fix: expect.stringContaining('give it as `ca`') });
    },
  );

  test('what is no certificate is refused', async () => {
    await expect(nativeProxy({ ...zone, host: 'a.example', ca: 'no' })).rejects.toThrow('ca is not a certificate');
  });
});

describe('what is refused', () => {
  test.each(['http://example.com/', 'https://127.0.0.1:9443/'])('%s: 407 says what to check', async (url) => {
    const secret = 'wrong-password-0123456789';
    const dispatcher = await dispatcherFor(await emulated(), { password: secret });
    const error = await failure(request(url, { dispatcher }));
    expect(error).toMatchObject({ name: 'ServiceError', code: 'unauthorized', status: 407, effect: 'none' });
    expect(error.message).toMatch(
      /^GET https?:\/\/\S+ was refused by the native proxy http:\/\/127\.0\.0\.1:\d+ with 407$/,
    );
    expect(error.fix).toMatch(/account ID .* zone.* password/);
    for (const text of [error.stack, JSON.stringify(error), String(error.cause)]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(4, 20));
    }
  });

  test('a target that the proxy does not connect to', async () => {
    const dispatcher = await dispatcherFor(await emulated());
    const error = await failure(request('https://example.com/', { dispatcher }));
    expect(error).toMatchObject({ code: 'forbidden', status: 403, effect: 'none' });
  });
});

async function failure(call: Promise<unknown>): Promise<ServiceError> {
  return call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: ServiceError) => error,
  );
}

/** Its own authority, for localhost. */
function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-tls-'));
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', file], { stdio: 'ignore' });
    return { ca: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
