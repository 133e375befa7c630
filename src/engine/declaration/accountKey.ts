/**
 * The identity of an account. Lock, runs, baseline, plan files and all fronts use this one: the declared name, or else the host and port
 * of the service. Neither the API key nor the spelling of the URL makes another account.
 */
import type { Config } from './config.ts';

type Servers = Pick<Config, 'account' | 'service' | 'manager' | 'triggers'>;

/** Returns the key of an account: runs with the same key exclude each other. */
export function accountKey({ account, ...servers }: Servers): string {
  return account ?? serverKey(urlOf(servers));
}

/** Returns the key that a named account had before it was named; undefined for an account without a name. */
export function formerAccountKey({ account, ...servers }: Servers): string | undefined {
  return account === undefined ? undefined : serverKey(urlOf(servers));
}

function urlOf({ service, manager, triggers }: Omit<Servers, 'account'>): string {
  return service.url ?? manager.url ?? triggers.url ?? '';
}

/** The account of a run, a plan file or a declaration. */
export interface AccountIdentity {
  /** The declared name. */
  account?: string | undefined;
  /** The origin of the service, in any spelling. */
  origin: string;
}

/** Compares the names, or the servers where one side has no name: a run may be older than the name of its account. */
export function isSameAccount(one: AccountIdentity, other: AccountIdentity): boolean {
  if (one.account !== undefined && other.account !== undefined) return one.account === other.account;
  return serverKey(one.origin) === serverKey(other.origin);
}

/**
 * Returns the host and port of a URL in one spelling. Leaves out the scheme, because a service answers at the default ports of both, and the
 * path. Two accounts at one host without a declared name share a key: two API keys may belong to one account, and only the service knows.
 */
export function serverKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname: host, port } = new URL(url);
  const name = host.toLowerCase().replace(/\.$/, '');
  return `${isLoopback(name) ? 'loopback' : name}:${port === '80' || port === '443' ? '' : port}`;
}

/** Reports whether a host is loopback. `URL` has already normalized `127.1`, `0x7f.1` and `[0:0::1]`. */
function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    host === '0.0.0.0' ||
    /^\[(::1?|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\]$/.test(host)
  );
}
