/** Checks the endpoints that this server calls itself, when it calls them: a host name may resolve to a private address. */
import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { addressProblem, type EndpointRules, endpointProblem } from '../declared/endpoint.ts';

export interface EndpointGuard extends EndpointRules {
  /** Refuses connections to forbidden addresses. The caller of `createEndpointGuard` closes it. */
  dispatcher: Dispatcher;
}

export function createEndpointGuard(allowPrivate: boolean, hosts?: readonly string[]): EndpointGuard {
  // A kept-alive connection was checked when it was opened.
  return { allowPrivate, hosts, dispatcher: new Agent({ connect: { lookup: guardedLookup(allowPrivate) } }) };
}

/** Literal IP addresses skip the DNS lookup, so they are checked here. @throws Error if nothing may be sent to the URL */
export function assertAllowedEndpoint(url: string, rules: EndpointGuard): void {
  const problem = endpointProblem(url, rules);
  if (problem !== undefined) throw Object.assign(new Error(problem.found), { code: problem.code });
}

/** Rejects a host name if any of its addresses is forbidden: the connection could go to any of them. */
export function guardedLookup(allowPrivate: boolean, resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const [problem] = addresses.flatMap(({ address }) => addressProblem(address, { allowPrivate }) ?? []);
      if (problem !== undefined) {
        const refusal = new Error(`${hostname} must not be called: ${problem}`);
        return callback(Object.assign(refusal, { code: 'private-endpoint' }), '', 0);
      }
      const [first] = addresses;
      return options.all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family);
    });
  };
}
