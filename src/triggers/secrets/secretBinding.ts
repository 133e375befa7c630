/**
 * Decides which secret may be sent where. The operator of the trigger service binds each name to a destination: otherwise everyone with the
 * token could have any secret sent to an endpoint of their own.
 */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { type DeliverySpec, longestSecretName, secretNamePattern } from '../declared/deliverySpec.ts';

export interface SecretBinding {
  /** The name in `{env: NAME}` or `{secret: NAME}`; a trailing `*` matches any rest. */
  name: string;
  /** `https://host[:port]`, `s3://bucket`, or `TYPE:*` for the other destinations. */
  destination: string;
}

/** Parses `NAME=ORIGIN`. Returns undefined for anything else. */
export function parseSecretBinding(text: string): SecretBinding | undefined {
  const [, name, written] = /^([^=*]+\*?)=(.+)$/.exec(text) ?? [];
  if (name === undefined || written === undefined || !isSecretPath(name.replace(/\*$/, 'x'))) return undefined;
  const destination = destinationIn(written);
  return destination === undefined ? undefined : { name, destination };
}

export const bindingForm = 'NAME=https://host[:port], NAME=s3://bucket or NAME=sftp:*';

/** Parses WEBDATA_TRIGGERS_SECRET_FOR: bindings that are separated by spaces. @throws ProblemError */
export function secretBindingsIn(text: string): SecretBinding[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const binding = parseSecretBinding(word);
    if (binding !== undefined) return binding;
    const found = `WEBDATA_TRIGGERS_SECRET_FOR has \`${shorten(word)}\``;
    const allowed = `${bindingForm}; several separated by spaces`;
    throw new ProblemError([{ code: 'wrong-secret-binding', found, allowed, fix: 'write the origin without a path' }]);
  });
}

/** Normalises a destination to the form of `secretDestination`. Refuses a URL with a path: a path does not limit where a secret goes. */
function destinationIn(written: string): string | undefined {
  if (/^(?:gcs|azure|sftp|snowflake|email):\*$/.test(written)) return written;
  if (/^s3:\/\/[^/\s]+$/.test(written)) return written;
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username + url.password === '';
  return isOrigin ? url.origin : undefined;
}

/** Returns where the secrets in a field of a delivery go. For other destinations any field may name the host, so only the type counts. */
export function secretDestination({ endpoint, destination }: Partial<DeliverySpec>, field: string): string {
  if (field !== 'destination' || !isMapValue(destination)) {
    return URL.parse(typeof endpoint === 'string' ? endpoint : '')?.origin ?? 'no endpoint';
  }
  return destination.type === 's3' ? `s3://${String(destination.bucket)}` : `${String(destination.type)}:*`;
}

/** Returns whether a binding allows the secret to be sent there. */
export function isBound(name: string, destination: string, bindings: readonly SecretBinding[]): boolean {
  return bindings.some((binding) => binding.destination === destination && matchesName(name, binding.name));
}

/** Matches a name with a pattern: the name itself, or its beginning and `*`. */
export function matchesName(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

export function isSecretPath(name: string): boolean {
  return name.length <= longestSecretName && secretNamePattern.test(name);
}

export function notBound(name: string, destination: string, bindings: readonly SecretBinding[]): Problem {
  const allowed = bindings.filter((binding) => matchesName(name, binding.name)).map((binding) => binding.destination);
  return {
    code: 'secret-not-bound',
    found: `secret ${shorten(name)} must not be sent to ${shorten(destination)}`,
    allowed: allowed.length === 0 ? 'no destination' : [...new Set(allowed)].join(', '),
    fix: `to allow it, start the trigger service with --secret-for '${name}=${destination}', or set WEBDATA_TRIGGERS_SECRET_FOR`,
  };
}
