/** Hosts, as a `Host` header or a URL names them, with or without a port. */
import ipaddr from 'ipaddr.js';
import { boundedCache } from './boundedCache.ts';

/** Reports whether the host of a `Host` header or a URL, with or without a port, is loopback. Requests of a server name few hosts. */
export const isLoopbackHost: (host: string) => boolean = boundedCache(100, (host) => {
  const name = hostName(host);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
});

/** Returns the host name in the form of `URL`, without port, brackets and a final dot. */
export function hostName(host: string): string {
  const bare = ipaddr.isValid(host) && host.includes(':') ? `[${host}]` : host;
  return (URL.parse(`http://${bare}`)?.hostname ?? '').replace(/^\[|\]$|\.$/g, '');
}
