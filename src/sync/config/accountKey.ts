/** The key of an account: runs with the same key exclude each other. */
import type { Config } from './config.ts';

/** Returns one key per service and declared name of the account, independent of the API key and the spelling of the URL. */
export function accountKey({
  account,
  service,
  manager,
  triggers,
}: Pick<Config, 'account' | 'service' | 'manager' | 'triggers'>): string {
  const host = hostKey(service.url ?? manager.url ?? triggers.url ?? '');
  return account === undefined ? host : `${host} ${account}`;
}

/**
 * Returns the host and port of a URL in one spelling. Leaves out the scheme, because a service answers at the default ports of both, and the
 * path. Two accounts at one host without a declared name share a lock: two keys may belong to one account, and only the service knows.
 */
function hostKey(url: string): string {
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
