/**
 * Refuses requests that pages of other sites send. A browser on this machine can reach servers on loopback, and so can every page that
 * is open in it: by a cross-site request, or under a domain name that resolves to loopback (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostName, isLoopbackHost } from '../values/hostName.ts';

type CheckedRequest = Pick<IncomingMessage, 'method' | 'headers'>;

interface OriginViolation {
  status: 403 | 421;
  code: 'other-site' | 'other-host';
  found: string;
  fix: string;
}

export interface AllowedOrigins {
  /** The address that the server listens on. */
  bound: AddressInfo | string | null;
  /** Further host names of the server, behind a reverse proxy. */
  hosts?: readonly string[] | undefined;
}

/** Returns undefined for requests of programs and of the server's own pages. */
export function originViolation(request: CheckedRequest, allowed: AllowedOrigins): OriginViolation | undefined {
  if (isOtherHost(request, allowed)) return otherHost;
  return isOtherSite(request) ? otherSite : undefined;
}

/** Reports whether a browser sends the request for a page. */
export function isFromPage({ headers }: CheckedRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Reports whether a loopback server is called by a name that is not its own. Other servers have names that are not known here. */
function isOtherHost({ headers: { host } }: CheckedRequest, { bound, hosts = [] }: AllowedOrigins): boolean {
  if (host === undefined || bound === null || typeof bound === 'string' || !isLoopbackHost(bound.address)) return false;
  return !isLoopbackHost(host) && !hosts.some((each) => hostName(each) === hostName(host));
}

/** Reports whether another site sent a request that may change something. Browsers send the origin of such requests; programs do not. */
function isOtherSite({ method = '', headers }: CheckedRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && URL.parse(headers.origin)?.host !== headers.host;
}

const otherHost: OriginViolation = {
  status: 421,
  code: 'other-host',
  found: 'the request is for another host, but this server listens on loopback only',
  fix: 'use 127.0.0.1 or localhost, or configure the host name of the reverse proxy',
};

const otherSite: OriginViolation = {
  status: 403,
  code: 'other-site',
  found: 'a page of another site sent the request',
  fix: 'send it from a program, or from a page of this server',
};
