/** Where an endpoint is: plain http is for loopback only, and private addresses are for servers that allow them. */
import ipaddr from 'ipaddr.js';
import type { Problem } from '../../diagnostics/problem.ts';
import { isLoopbackHost } from '../../http/allowedOrigins.ts';
import { redactor } from '../../service/redact.ts';
import { isMapValue } from '../../values/plain.ts';

/** Whether a URL names this machine. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(URL.parse(url)?.hostname ?? '');
}

/** Which endpoints the operator of a trigger service allows. */
export interface EndpointRules {
  allowPrivate: boolean;
  /** The only hosts that may be named, each with its port unless that is the usual one; undefined for any. */
  hosts?: readonly string[] | undefined;
}

/** Why nothing may be sent there, as far as the URL alone shows. The sender checks what its name resolves to: see `addressProblem`. */
export function endpointProblem(url: string, { allowPrivate, hosts }: EndpointRules): Problem | undefined {
  const shown = redactor()(url);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return { code: 'endpoint-not-https', found: `${shown} is not an https URL`, allowed: 'an https URL' };
  }
  if (!/^https:/i.test(url) && !isLoopback(url)) {
    return {
      code: 'endpoint-not-https',
      found: `${shown} would be called without encryption`,
      allowed: 'an https URL, or http on loopback',
      fix: 'write it with https',
    };
  }
  const host = hostOf(url);
  if (isMachinesOwn(host)) {
    return {
      code: 'link-local-endpoint',
      found: `${shown} is where machines are told about themselves, their credentials with it`,
      allowed: 'an address that is neither link-local nor the metadata service of a cloud',
      fix: 'name the address of a webhook',
    };
  }
  if (hosts !== undefined && !hosts.includes(namedHost(url))) return hostNotAllowed(url, hosts);
  if (allowPrivate || !isPrivate(host)) return undefined;
  return {
    code: 'private-endpoint',
    found: `${shown} is on a private address`,
    allowed: 'an address that is public, unless the trigger service allows private ones',
    fix: 'name a public address, or start the trigger service with --allow-private-endpoints',
  };
}

function hostNotAllowed(url: string, hosts: readonly string[]): Problem {
  const host = namedHost(url);
  return {
    code: 'endpoint-not-allowed',
    found: `the host ${host} is not allowed for endpoints`,
    allowed: hosts.join(', '),
    fix: `name one of these, or start the trigger service with --endpoint-host ${host}`,
  };
}

/** As `--endpoint-host` names it. */
function namedHost(url: string): string {
  return (URL.parse(url)?.host ?? '').toLowerCase();
}

/** Why nothing may be sent to what a name resolves to. */
export function addressProblem(
  address: string,
  { allowPrivate }: Pick<EndpointRules, 'allowPrivate'>,
): string | undefined {
  if (isMachinesOwn(address)) return `it resolves to ${address}, where machines are told about themselves`;
  return allowPrivate || !isPrivate(address) ? undefined : `it resolves to ${address}, which is private`;
}

/** The problems of every endpoint in a spec, with paths from its top. */
export function endpointProblems(spec: unknown, rules: EndpointRules): Problem[] {
  return endpointsIn(spec).flatMap(({ path, url }) => {
    const problem = endpointProblem(url, rules);
    return problem === undefined ? [] : [{ ...problem, path }];
  });
}

/** Inputs are data, and whatever stands there is not called by us. */
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

/** Whatever is not out in the internet: private networks, this machine, link-local. */
function isPrivate(host: string): boolean {
  if (ipaddr.isValid(host)) return unwrapped(host).range() !== 'unicast';
  return !host.includes('.') || privateNames.test(host);
}

const privateNames = /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** Link-local, and the metadata services of clouds: no hook is there, also none that a private network may have. */
function isMachinesOwn(host: string): boolean {
  if (!ipaddr.isValid(host)) return metadataNames.has(host);
  const address = unwrapped(host);
  return address.range() === 'linkLocal' || metadataAddresses.has(address.toString());
}

const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data']);

/** Those that are not link-local. */
const metadataAddresses: ReadonlySet<string> = new Set([
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, or behind a NAT64 or a 6to4 gateway. */
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

/** `::` and `::1` are addresses of their own. */
function isShort(parts: readonly number[]): boolean {
  return parts[6] === 0 && (parts[7] ?? 0) <= 1;
}

function ipv4(high = 0, low = 0): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** A dot at its end makes a name no other: it says that nothing is to be added to it. */
function hostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$|\.$/g, '').toLowerCase();
}
