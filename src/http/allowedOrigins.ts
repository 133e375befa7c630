/**
 * What pages from elsewhere let a browser ask a server of this machine. A browser that a person uses here reaches loopback, so
 * every page that is open in it does: by a request of its own, or under a name of its own that resolves here (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

type Asked = Pick<IncomingMessage, 'method' | 'headers'>;

export interface Stranger {
  status: 403 | 421;
  code: 'other-site' | 'other-host';
  found: string;
  fix: string;
}

export interface Welcome {
  /** Where the server listens, as it says itself. */
  bound: AddressInfo | string | null;
  /** Names by which it is asked besides, through a proxy of its own. */
  hosts?: readonly string[] | undefined;
}

/** Undefined for whoever may ask, as far as this can tell: programs, and pages of the server itself. */
export function strangerIn(request: Asked, welcome: Welcome): Stranger | undefined {
  if (isOtherHost(request, welcome)) return otherHost;
  return isOtherSite(request) ? otherSite : undefined;
}

/** Whether a browser sends it for a page, whichever that is. */
export function isFromPage({ headers }: Asked): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** A host as a `Host` header or a URL writes it, with a port or without. */
export function isLoopbackHost(host: string): boolean {
  const name = nameOf(host);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

/** Whoever listens beyond loopback is asked by names that are not known here. */
function isOtherHost({ headers: { host } }: Asked, { bound, hosts = [] }: Welcome): boolean {
  if (host === undefined || bound === null || typeof bound === 'string' || !isLoopbackHost(bound.address)) return false;
  return !isLoopbackHost(host) && !hosts.some((each) => nameOf(each) === nameOf(host));
}

/** Browsers say where a request that may change something comes from; programs do not. */
function isOtherSite({ method = '', headers }: Asked): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && URL.parse(headers.origin)?.host !== headers.host;
}

/** As `URL` writes it: without a port, brackets and a dot at the end. */
function nameOf(host: string): string {
  const bare = ipaddr.isValid(host) && host.includes(':') ? `[${host}]` : host;
  return (URL.parse(`http://${bare}`)?.hostname ?? '').replace(/^\[|\]$|\.$/g, '');
}

const otherHost: Stranger = {
  status: 421,
  code: 'other-host',
  found: 'a request for another host, and this server listens to its own machine only',
  fix: 'ask for 127.0.0.1 or localhost, or let the server know the name by which its proxy is asked',
};

const otherSite: Stranger = {
  status: 403,
  code: 'other-site',
  found: 'a request that a page of another site has sent',
  fix: 'send it from a program, or from the page of this server',
};
