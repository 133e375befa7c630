/** What this server calls itself is looked at when it is called: a name may resolve to what its URL does not show. */
import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { addressProblem, type EndpointRules, endpointProblem } from '../spec/endpoint.ts';

export interface EndpointGuard extends EndpointRules {
  /** Connects to no address that is refused. Closed by whoever made the guard. */
  dispatcher: Dispatcher;
}

export function createEndpointGuard(allowPrivate: boolean, hosts?: readonly string[]): EndpointGuard {
  // A connection that is kept was looked at when it was made.
  return { allowPrivate, hosts, dispatcher: new Agent({ connect: { lookup: guardedLookup(allowPrivate) } }) };
}

/** Addresses are not looked up, so they are checked here. @throws where nothing may be sent there */
export function insistOn(url: string, rules: EndpointGuard): void {
  const problem = endpointProblem(url, rules);
  if (problem !== undefined) throw Object.assign(new Error(problem.found), { code: problem.code });
}

/** One address that is refused is enough: the connection might be made to any. */
export function guardedLookup(allowPrivate: boolean, resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const [problem] = addresses.flatMap(({ address }) => addressProblem(address, { allowPrivate }) ?? []);
      if (problem !== undefined) {
        const refusal = new Error(`${hostname} is not called: ${problem}`);
        return callback(Object.assign(refusal, { code: 'private-endpoint' }), '', 0);
      }
      const [first] = addresses;
      return options.all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family);
    });
  };
}
