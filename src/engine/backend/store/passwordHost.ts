/** Keeps PGPASSWORD from hosts that only a declaration names: a declaration may come from a pull request. */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { isStoreAddress } from './address.ts';

/** Returns a problem if the client would send PGPASSWORD to the database at this address, and the environment does not name its host. */
export function passwordHostProblem(
  address: string,
  { PGPASSWORD, PGHOST }: Readonly<Record<string, string | undefined>>,
): Problem | undefined {
  if (!PGPASSWORD || !isStoreAddress(address) || !/^postgres/i.test(address)) return undefined;
  const complete = URL.canParse(address) ? address : address.replace('@/', '@localhost/');
  // The store reports an address that is not valid.
  if (!URL.canParse(complete)) return undefined;
  const { hostname, password, searchParams } = new URL(complete);
  if (password !== '' || searchParams.has('password')) return undefined;
  const hosts = [decodeURIComponent(hostname), ...searchParams.getAll('host')];
  const host = hosts.find((each) => !isLocal(each) && each.toLowerCase() !== PGHOST?.toLowerCase());
  return host === undefined ? undefined : notNamed(host);
}

/** True for this machine, and for an empty host, for which the client uses PGHOST. */
function isLocal(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(host);
}

function notNamed(host: string): Problem {
  return {
    code: 'backend-host-not-named',
    path: ['backend'],
    found: `PGPASSWORD would be sent to ${host}, a host that only the declaration names`,
    allowed: 'a host that PGHOST, WEBDATA_BACKEND or --backend names',
    fix: `if it is the database of the team, set PGHOST=${host} beside PGPASSWORD`,
  };
}
