/** The native proxy (specification, "Native proxy access"): its credentials, its URL, and an undici dispatcher that uses it. */
import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { assertNoProblems, type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { parseProfile, type ServiceProfile, userNamePart } from '../../profile.ts';
import { explained } from './proxyErrors.ts';

export interface ProxyCredentialsRequest {
  /** Begins with `hl_`. */
  accountId: string;
  zone: string;
  /** Password from the access details of the zone. */
  password: string;
  /** Further parts of the user name, as `-name-value`. The specification names none. */
  options?: Readonly<Record<string, string>> | undefined;
  /** `client.profile`, for a service with another prefix. */
  profile?: Partial<Pick<ServiceProfile, 'proxyUserPrefix'>> | undefined;
}

/** Credentials of the proxy. `password` is secret. */
export interface ProxyCredentials {
  username: string;
  password: string;
}

export interface ProxyAddress extends ProxyCredentialsRequest {
  /** Host name or address, without scheme and port. */
  host: string;
  /** Default 44445. */
  port?: number | undefined;
}

export interface NativeProxyOptions extends ProxyAddress {
  /** CA certificate (PEM) that is trusted in addition to those of this machine, for the zones that need one. */
  ca?: string | undefined;
}

/** Returns the user name and password. @throws ProblemError for a value that neither can contain; the password is never shown */
export function proxyCredentials({
  accountId,
  zone,
  password,
  options = {},
  profile,
}: ProxyCredentialsRequest): ProxyCredentials {
  const more = Object.entries(options).flatMap(([name, value]) => [
    { name: `options: the name "${name}"`, path: ['options'], part: name },
    { name: `options.${name}`, path: ['options', name], part: value },
  ]);
  assertNoProblems([
    ...partProblems({ name: 'accountId', path: ['accountId'], part: accountId }, 'the account ID, like hl_1a2b3c4d'),
    ...(accountId.startsWith('hl_') ? [] : [wrongStart]),
    ...partProblems({ name: 'zone', path: ['zone'], part: zone }, 'the name of the zone'),
    ...more.flatMap((each) => partProblems(each, 'one word')),
    ...passwordProblems(password),
  ]);
  const { proxyUserPrefix } = parseProfile({ proxyUserPrefix: profile?.proxyUserPrefix });
  const parts = [proxyUserPrefix, 'customer', accountId, 'zone', zone, ...more.map(({ part }) => part)];
  return { username: parts.join('-'), password };
}

/** Returns the URL of the proxy with percent-encoded credentials: a secret. @throws ProblemError as `proxyCredentials` */
export function proxyUrl(address: ProxyAddress): string {
  const { username, password } = proxyCredentials(address);
  return `http://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${authorityOf(address)}`;
}

/**
 * Creates a dispatcher for the `dispatcher` option of `fetch` and of undici's functions. Refusals of the proxy are ServiceErrors (for
 * `fetch`, the `cause`). Close it after use.
 * @throws ProblemError as `proxyCredentials`, and for an unreadable `ca`
 */
export async function nativeProxy({ ca, ...address }: NativeProxyOptions): Promise<Dispatcher> {
  const { username, password } = proxyCredentials(address);
  const token = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const uri = `http://${authorityOf(address)}`;
  const trusted = ca === undefined ? {} : { requestTls: { ca: [...getCACertificates(), readable(ca)] } };
  // Imported on demand: callers that need only a URL do not load an HTTP client.
  const { Dispatcher1Wrapper, ProxyAgent } = await import('undici');
  const agent = new ProxyAgent({ uri, token, ...trusted }).compose(explained(uri, [password, token]));
  // Node's fetch may be of another version of undici, whose handlers have other names.
  return new Dispatcher1Wrapper(agent);
}

const defaultPort = 44_445;

/** @throws ProblemError */
function authorityOf({ host, port = defaultPort }: ProxyAddress): string {
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535;
  const isHost = isIPv6(host) || /^(\[[\da-f:.]+\]|[a-z\d]([\w.-]*[\w.])?)$/i.test(host);
  assertNoProblems([...(isHost ? [] : [wrongHost]), ...(isPort ? [] : [wrongPort])]);
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

interface UserNamePart {
  name: string;
  path: string[];
  part: string;
}

/** Checks a part of the user name. The value is not shown, because a user may have pasted the password with it. */
function partProblems({ name, path, part }: UserNamePart, allowed: string): Problem[] {
  if (userNamePart.test(part)) return [];
  const wrong = [...part].find((character) => !userNamePart.test(character));
  return [
    {
      code: 'wrong-format',
      found: `${name} ${wrong === undefined ? 'is empty' : `has ${shown(wrong)}`}`,
      allowed: `${allowed}, without spaces, "-" (separates the parts of the user name) and ":" (ends it)`,
      fix: 'copy it from the control panel; it is case-sensitive',
      path,
    },
  ];
}

function shown(character: string): string {
  if (/\s/.test(character)) return 'a space in it';
  return /^[!-~]$/.test(character) ? `"${character}" in it` : 'a character in it that is not allowed in a user name';
}

function passwordProblems(password: string): Problem[] {
  if (password !== '' && !/[\s\p{Cc}]/u.test(password) && password.isWellFormed()) return [];
  return [
    {
      code: 'wrong-format',
      found: `password ${password === '' ? 'is empty' : 'contains a space, a line break or another character that no password has'}`,
      allowed: 'the password of the zone, without spaces',
      fix: "copy it from the zone's access details, without anything around it",
      path: ['password'],
    },
  ];
}

const wrongStart: Problem = {
  code: 'wrong-format',
  found: 'accountId does not begin with hl_',
  allowed: 'the account ID, like hl_1a2b3c4d',
  fix: 'copy it from the control panel; it is case-sensitive',
  path: ['accountId'],
};

const wrongHost: Problem = {
  code: 'wrong-format',
  found: '`host` is not a host name or an address',
  allowed: 'a name or an address, without scheme, port and credentials',
  fix: 'write it like proxy.example.com, and set `port` for the port',
  path: ['host'],
};

const wrongPort: Problem = {
  code: 'wrong-format',
  found: '`port` is not a port number',
  allowed: `a whole number from 1 to 65535, ${defaultPort} by default`,
  path: ['port'],
};

/** @throws ProblemError */
function readable(ca: string): string {
  try {
    return new X509Certificate(ca).toString();
  } catch {
    const found = 'ca is not a certificate';
    const fix = 'pass the contents of the file that begins with -----BEGIN CERTIFICATE-----';
    throw new ProblemError([{ code: 'wrong-format', found, allowed: 'a certificate as PEM', fix, path: ['ca'] }]);
  }
}
