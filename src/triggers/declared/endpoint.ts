/** Checks the URLs of endpoints: plain http on loopback only, and private addresses only if the server allows them. */
import ipaddr from 'ipaddr.js';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { isLoopbackHost } from '../../base/values/hostName.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { redactor } from '../../client/redact.ts';

/** Returns whether a URL names this machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(URL.parse(url)?.hostname ?? '');
}

/** The operator's rules for endpoints. */
export interface EndpointRules {
  allowPrivate: boolean;
  /** The only hosts that are allowed, with their port unless it is the default one; undefined allows any. */
  hosts?: readonly string[] | undefined;
}

/** Returns why nothing may be sent to a URL, judged by the URL alone. The sender checks resolved addresses with `addressProblem`. */
export function endpointProblem(url: string, { allowPrivate, hosts }: EndpointRules): Problem | undefined {
  const shown = redactor()(url);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return { code: 'endpoint-not-https', found: `${shown} is not an https URL`, allowed: 'an https URL' };
  }
  if (!/^https:/i.test(url) && !isLoopbackUrl(url)) {
    return {
      code: 'endpoint-not-https',
      found: `${shown} is not encrypted`,
      allowed: 'an https URL, or http on loopback',
      fix: 'use https',
    };
  }
  const host = hostOf(url);
  if (isMetadataHost(host)) {
    return {
      code: 'link-local-endpoint',
      found: `${shown} is a link-local or cloud metadata address, which may expose instance credentials`,
      allowed: 'any other address',
      fix: 'use the address of a webhook',
    };
  }
  // With its port, as `--endpoint-host` takes it.
  const named = (URL.parse(url)?.host ?? '').toLowerCase();
  if (hosts !== undefined && !hosts.includes(named)) {
    return {
      code: 'endpoint-not-allowed',
      found: `host ${named} is not allowed for endpoints`,
      allowed: hosts.join(', '),
      fix: `use an allowed host, or start the trigger service with --endpoint-host ${named}`,
    };
  }
  if (allowPrivate || !isPrivate(host)) return undefined;
  return {
    code: 'private-endpoint',
    found: `${shown} is a private address`,
    allowed: 'a public address, unless the trigger service allows private ones',
    fix: 'use a public address, or start the trigger service with --allow-private-endpoints',
  };
}

/** Returns why nothing may be sent to an address that a host name resolves to. */
export function addressProblem(
  address: string,
  { allowPrivate }: Pick<EndpointRules, 'allowPrivate'>,
): string | undefined {
  if (isMetadataHost(address)) return `it resolves to ${address}, a link-local or cloud metadata address`;
  return allowPrivate || !isPrivate(address) ? undefined : `it resolves to ${address}, a private address`;
}

/** Returns the problems of all endpoints in a spec, with their paths. */
export function endpointProblems(spec: unknown, rules: EndpointRules): Problem[] {
  return endpointsIn(spec).flatMap(({ path, url }) => {
    const problem = endpointProblem(url, rules);
    return problem === undefined ? [] : [{ ...problem, path }];
  });
}

/** Skips inputs: they are data, and URLs in them are not called by the trigger service. */
function endpointsIn(value: unknown, path: PropertyKey[] = []): { path: PropertyKey[]; url: string }[] {
  if (!isMapValue(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    if (name === 'inputs') return [];
    if (name === 'endpoint' && typeof field === 'string' && URL.canParse(field)) {
      return [{ path: [...path, name], url: field }];
    }
    return endpointsIn(field, [...path, name]);
  });
}

/** Returns whether a host is not on the internet: private networks, this machine, link-local. */
function isPrivate(host: string): boolean {
  if (ipaddr.isValid(host)) return unwrapped(host).range() !== 'unicast';
  return !host.includes('.') || privateNames.test(host);
}

const privateNames = /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** Returns whether a host is link-local or a cloud metadata service. Never allowed, even where private addresses are. */
function isMetadataHost(host: string): boolean {
  if (!ipaddr.isValid(host)) return metadataNames.has(host);
  const address = unwrapped(host);
  return address.range() === 'linkLocal' || metadataAddresses.has(address.toString());
}

const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data']);

/** Metadata services at addresses that are not link-local. */
const metadataAddresses: ReadonlySet<string> = new Set([
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

/** Returns the IPv4 address that an IPv6 address embeds: mapped, compatible, or behind a NAT64 or 6to4 gateway. */
function unwrapped(host: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.process(host);
  if (!(address instanceof ipaddr.IPv6)) return address;
  const { parts } = address;
  const [first, second = 0, third = 0] = parts;
  const start = parts
    .slice(0, 6)
    .map((part) => part.toString(16))
    .join(':');
  if (/^(?:0:0:0:0:0:0|64:ff9b:0:0:0:0)$/.test(start) && !isShort(parts)) return ipv4(parts[6], parts[7]);
  return first === 0x2002 ? ipv4(second, third) : address;
}

/** `::` and `::1` embed no IPv4 address. */
function isShort(parts: readonly number[]): boolean {
  return parts[6] === 0 && (parts[7] ?? 0) <= 1;
}

function ipv4(high = 0, low = 0): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** Drops the trailing dot: `host.` is the same host as `host`. */
function hostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$|\.$/g, '').toLowerCase();
}
