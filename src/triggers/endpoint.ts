/** Where an endpoint is: plain http is for loopback only, and private addresses are for servers that allow them. */
import ipaddr from 'ipaddr.js';
import { isMapValue } from '../input/plain.ts';
import type { Problem } from '../input/problem.ts';
import { redactor } from '../service/redact.ts';

/** Whether a URL names this machine. */
export function isLoopback(url: string): boolean {
  const host = hostOf(url);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Why nothing may be sent there, as far as the URL alone tells: what a name resolves to is not looked up. */
export function endpointProblem(url: string, { allowPrivate }: { allowPrivate: boolean }): Problem | undefined {
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
  if (allowPrivate || !isPrivate(hostOf(url))) return undefined;
  return {
    code: 'private-endpoint',
    found: `${shown} is on a private address`,
    allowed: 'an address that is public, unless the trigger service allows private ones',
    fix: 'name a public address, or start the trigger service with --allow-private-endpoints',
  };
}

/** The problems of every endpoint in a spec, with paths from its top: for the server, which knows what it allows. */
export function endpointProblems(spec: unknown, options: { allowPrivate: boolean }): Problem[] {
  return endpointsIn(spec).flatMap(({ path, url }) => {
    const problem = endpointProblem(url, options);
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

/** Whatever is not out in the internet: private networks, this machine, link-local and with it the metadata of clouds. */
function isPrivate(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return !host.includes('.') || privateNames.test(host);
}

const privateNames = /\.(?:localhost|local|internal|intranet|lan|home|corp)\.?$/;

function hostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '').toLowerCase();
}
