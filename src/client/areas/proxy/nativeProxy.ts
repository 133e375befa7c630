/** The native proxy (specification, "Native proxy access"): its credentials, its URL, and an undici dispatcher that uses it. */
import { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { assertNoProblems, ProblemError } from '../../../base/diagnostics/problem.ts';
import { valueProblems } from '../../../base/diagnostics/zodProblems.ts';
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
  assertNoProblems(valueProblems(credentialFields, { accountId, zone, password, options }));
  const { proxyUserPrefix } = parseProfile({ proxyUserPrefix: profile?.proxyUserPrefix });
  const parts = [proxyUserPrefix, 'customer', accountId, 'zone', zone, ...Object.entries(options).flat()];
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

/** A part of the user name. No problem shows the value, because a user may have pasted the password with it. */
function userPart(what: string, form = userNamePart) {
  const rule = 'without spaces, "-" (separates the parts of the user name) and ":" (ends it)';
  return z.string().regex(form, `must be ${what}, ${rule}`).meta({ writeOnly: true });
}

const word = userPart('one word');

const credentialFields = z.object({
  accountId: userPart('the account ID of the control panel, like hl_1a2b3c4d', /^hl_[!-,.-9;-~]+$/),
  zone: userPart('the name of the zone'),
  password: z
    .string()
    .regex(/^[^\s\p{Cc}\p{Cs}]+$/u, "must be the password in the zone's access details, without spaces")
    .meta({ writeOnly: true }),
  options: z.record(word, word),
});

const isHost = (host: string) => isIPv6(host) || /^(\[[\da-f:.]+\]|[a-z\d]([\w.-]*[\w.])?)$/i.test(host);

const addressFields = z.object({
  host: z
    .string()
    .refine(isHost, 'must be a name or an address like proxy.example.com, without scheme, port and credentials')
    .meta({ writeOnly: true }),
  port: z.int().min(1).max(65_535),
});

/** @throws ProblemError */
function authorityOf({ host, port = defaultPort }: ProxyAddress): string {
  assertNoProblems(valueProblems(addressFields, { host, port }));
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

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
