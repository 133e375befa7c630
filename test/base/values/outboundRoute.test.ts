import { describe, expect, it } from 'vitest';
import { outboundRoute } from '../../../src/base/values/outboundRoute.ts';

const proxies = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://secure:2' };
const kindOf = (url: string, env: Record<string, string>) => outboundRoute(url, { ...proxies, ...env }).kind;

describe('the way of a request', () => {
  it('goes through the proxy for its scheme; lower case comes first, and an empty variable counts as unset', () => {
    expect(outboundRoute('http://a.example', proxies)).toMatchObject({ by: 'HTTP_PROXY' });
    expect(outboundRoute('https://a.example', proxies)).toMatchObject({ by: 'HTTPS_PROXY' });
    expect(outboundRoute('https://a.example', { ...proxies, https_proxy: 'http://low:3' })).toMatchObject({
      by: 'https_proxy',
    });
    expect(outboundRoute('https://a.example', { ...proxies, https_proxy: '' })).toMatchObject({ by: 'HTTPS_PROXY' });
    expect(outboundRoute('https://a.example', { HTTP_PROXY: 'plain:1' })).toMatchObject({ by: 'HTTP_PROXY' });
    expect(outboundRoute('https://a.example', {})).toEqual({ kind: 'direct' });
  });

  it.each([
    'http://localhost:1',
    'http://x.localhost',
    'http://127.9.9.9',
    'http://[::1]:1',
    'https://LOCALHOST.',
  ])('to %s is direct', (url) => expect(kindOf(url, {})).toBe('direct'));

  it.each([
    ['*', 'http://a.example', 'direct'],
    ['a.example', 'http://a.example', 'direct'],
    ['a.example', 'http://b.a.example', 'direct'],
    ['.a.example', 'http://a.example', 'direct'],
    ['*.a.example', 'http://a.example', 'proxy'],
    ['*.a.example', 'http://b.a.example', 'direct'],
    ['a.example', 'http://ba.example', 'proxy'],
    ['x, A.EXAMPLE.', 'http://a.example', 'direct'],
    ['a.example:8080', 'http://a.example', 'proxy'],
    ['a.example:443', 'https://a.example', 'direct'],
    ['10.0.0.0/8', 'http://10.1.2.3', 'direct'],
    ['10.0.0.0/8', 'http://11.1.2.3', 'proxy'],
    ['10.0.0.0/99', 'http://10.1.2.3', 'proxy'],
    ['[2001:db8::1]:80', 'http://[2001:db8::1]', 'direct'],
    ['2001:db8::/32', 'http://[2001:db8::1]', 'direct'],
    ['', 'http://a.example', 'proxy'],
  ])('with NO_PROXY=%s to %s: %s', (NO_PROXY, url, kind) => {
    expect(kindOf(url, { NO_PROXY })).toBe(kind);
  });

  it.each([
    '"http://me:hunter2@p:1"',
    ' http://p:1',
    'socks5://p:1',
    'http://me:hunter%2@p:1',
    'http://',
  ])('with the proxy %j is unclear, and the value is not quoted', (HTTP_PROXY) => {
    const route = outboundRoute('http://a.example', { HTTP_PROXY });
    expect(route.kind).toBe('unclear');
    expect(JSON.stringify(route)).not.toContain('hunter');
  });
});
