/** Addresses of PostgreSQL databases. */

/** The driver gives these modes the meaning of `verify-full` already, with a warning that breaks into the lines of a log. */
export function withoutModeAliases(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/, '$1verify-full');
}

/** Returns whether an address names several hosts: PostgreSQL's own clients try them in turn, and this one does not. */
export function hasSeveralHosts(url: string): boolean {
  const [, authority = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const query = new URLSearchParams(rest.split('?')[1]);
  return [authority.slice(authority.lastIndexOf('@') + 1), query.get('host') ?? ''].some((hosts) =>
    hosts.includes(','),
  );
}

export const oneHost = {
  allowed: 'one host',
  fix: 'name one host: a DNS name that follows the primary server, or a proxy such as PgBouncer or HAProxy',
} as const;

/** Returns the address without user, password and parameters, for messages and records. */
export function withoutLogin(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}
