/** What a name resolves to is looked at when it is called. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assertAllowedEndpoint, createEndpointGuard, guardedLookup } from '../../src/triggers/worker/endpointGuard.ts';

/** A name server that says this of every name. */
function resolving(...addresses: string[]) {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return ((_name: string, _options: object, callback: (error: null, all: typeof found) => void) =>
    callback(null, found)) as unknown as Parameters<typeof guardedLookup>[1];
}

function looked(allowPrivate: boolean, all: boolean, ...addresses: string[]): Promise<unknown> {
  const lookup = guardedLookup(allowPrivate, resolving(...addresses));
  return new Promise((resolve, reject) => {
    lookup('hooks.example.com', { all }, (error, address) => (error ? reject(error) : resolve(address)));
  });
}

describe('a name that resolves to', () => {
  it.each([
    ['127.0.0.1', false, true],
    ['10.0.0.5', false, true],
    ['::1', false, true],
    ['fd00::5', false, true],
    ['::ffff:10.0.0.5', false, true],
    ['169.254.169.254', false, false],
    ['fd00:ec2::254', false, false],
    ['::ffff:169.254.169.254', false, false],
    ['64:ff9b::a9fe:a9fe', false, false],
    ['fe80::1', false, false],
    ['8.8.8.8', true, true],
    ['2606:4700::1111', true, true],
  ])('%s is called: %s, and where private ones are allowed: %s', async (address, usually, allowed) => {
    for (const [allowPrivate, isCalled] of [
      [false, usually],
      [true, allowed],
    ] as const) {
      const result = looked(allowPrivate, false, address);
      if (isCalled) expect(await result).toBe(address);
      else await expect(result).rejects.toThrow(`hooks.example.com must not be called: it resolves to ${address}`);
    }
  });

  it('no address is not called, and breaks nothing', async () => {
    expect(await looked(false, false)).toBe('');
    expect(await looked(false, true)).toEqual([]);
  });

  it('several addresses is not called if one of them is refused', async () => {
    await expect(looked(false, true, '8.8.8.8', '169.254.169.254')).rejects.toThrow('169.254.169.254');
    expect(await looked(false, true, '8.8.8.8', '9.9.9.9')).toHaveLength(2);
  });
});

it('is not called on this machine, by name or by address, unless private addresses are allowed', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const strict = createEndpointGuard(false);
  const open = createEndpointGuard(true);
  onTestFinished(() => Promise.all([strict.dispatcher.destroy(), open.dispatcher.destroy()]).then(() => undefined));
  const call = (host: string, { dispatcher }: typeof strict) =>
    fetch(`http://${host}:${port}/`, { method: 'POST', dispatcher });
  await expect(call('localhost', strict)).rejects.toThrow();
  expect(() => assertAllowedEndpoint(`http://127.0.0.1:${port}/`, strict)).toThrow('private address');
  expect(asked).toBe(0);
  assertAllowedEndpoint(`http://127.0.0.1:${port}/`, open);
  await call('localhost', open);
  expect(asked).toBe(1);
});
