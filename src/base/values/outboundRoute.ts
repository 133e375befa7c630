/**
 * The one rule for the way that a request takes: through the proxy of the environment, or direct. Requests to this machine are always direct. The
 * variables may be in lower case, which comes first, or in upper case.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { malformedText } from './address.ts';
import { isLoopbackHost } from './hostName.ts';

export type ProxyEnv = Readonly<Record<string, string | undefined>>;

type OutboundRoute =
  /** `by` names the variable that excepts the host. */
  | { kind: 'direct'; by?: string }
  | { kind: 'proxy'; url: URL; by: string }
  /** The variable holds no usable address. `why` does not quote it, because it may contain a password. */
  | { kind: 'unclear'; by: string; why: string };

/** Returns the way to a server. HTTPS_PROXY, or without it HTTP_PROXY, is for https URLs; HTTP_PROXY is for http URLs. */
export function outboundRoute(target: string | URL, env: ProxyEnv = process.env): OutboundRoute {
  const url = new URL(target);
  const found = variable(env, url.protocol === 'https:' ? ['https_proxy', 'http_proxy'] : ['http_proxy']);
  if (found === undefined || isLoopbackHost(url.hostname)) return { kind: 'direct' };
  const exceptions = variable(env, ['no_proxy']);
  if (exceptions !== undefined && isExcepted(url, exceptions.value)) return { kind: 'direct', by: exceptions.name };
  return routeThrough(found);
}

function routeThrough({ name, value }: Variable): OutboundRoute {
  const malformed = malformedText(value);
  if (malformed !== undefined) return { kind: 'unclear', by: name, why: malformed.why };
  // As other tools do, a host and a port alone are taken for an http proxy.
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url === null || !/^https?:$/.test(url.protocol) || !isDecodable(url.username + url.password)) {
    return { kind: 'unclear', by: name, why: 'is not the URL of an http or https proxy' };
  }
  return { kind: 'proxy', url, by: name };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

interface Variable {
  name: string;
  value: string;
}

function variable(env: ProxyEnv, names: readonly string[]): Variable | undefined {
  for (const name of names.flatMap((each) => [each, each.toUpperCase()])) {
    const value = env[name];
    if (value) return { name, value };
  }
  return undefined;
}

/** Returns the host in lower case, without brackets and without the dot of a full name. */
function plainHost(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(.)\.$/, '$1');
}

function isExcepted(url: URL, exceptions: string): boolean {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions.split(/[\s,]+/).some((entry) => {
    const [, name = entry, only] = /^(\*|\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    return name !== '' && (only ?? port) === port && covers(plainHost(name), host);
  });
}

/** An entry is `*`, a host with its subdomains, subdomains alone (`*.example.com`), an address, or a network. */
function covers(entry: string, host: string): boolean {
  if (entry === '*' || entry === host) return true;
  if (isIP(host) > 0) return isIn(host, entry);
  return host.endsWith(`.${entry.replace(/^\*?\./, '')}`) || (entry.startsWith('.') && entry.slice(1) === host);
}

function isIn(host: string, network: string): boolean {
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(network)) return false;
  const [address, bits] = ipaddr.parseCIDR(network);
  const own = ipaddr.process(host);
  return own.kind() === address.kind() && own.match(address, bits);
}
