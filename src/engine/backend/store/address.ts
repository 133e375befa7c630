/** Addresses of backends: a folder, or a store that a team shares. */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { bucketAddress } from '../../../base/drivers/bucketAddress.ts';
import { hasSeveralHosts, oneHost } from '../../../base/drivers/postgresAddress.ts';
import { parseAddress } from '../../../base/values/address.ts';

/** True for addresses of stores, false for folders. */
export function isStoreAddress(address: string): boolean {
  return parseAddress(address).kind === 'server';
}

/** Returns a problem for an address that is neither a folder nor a store. Never quotes the address, which may contain a password. */
export function backendAddressProblem(address: string): Problem | undefined {
  const parsed = parseAddress(address);
  if (parsed.kind === 'unclear') return invalid(`the address of the backend ${parsed.why}`, parsed.fix);
  if (parsed.kind === 'path') return undefined;
  const { scheme, url } = parsed;
  if (scheme === 's3') {
    if (bucketAddress(url) !== undefined) return undefined;
    return invalid('the address of the backend is not a valid S3 address');
  }
  if (scheme !== 'postgres' && scheme !== 'postgresql') return invalid(`${scheme}:// backends are not supported`);
  if (hasSeveralHosts(url)) return { ...invalid('the address of the backend names several hosts'), ...oneHost };
  // Without a host, the driver connects to a socket.
  return URL.canParse(url) || URL.canParse(url.replace('@/', '@localhost/')) ? undefined : invalidUrl;
}

function invalid(
  found: string,
  fix = 'correct backend in the file, WEBDATA_BACKEND or --backend; percent-encode special characters, such as %40 for @',
): Problem {
  return {
    code: 'invalid-backend',
    found,
    allowed: 'a folder, s3://BUCKET/PREFIX, or postgres://USER@HOST:PORT/DATABASE',
    fix,
  };
}

export const invalidUrl = invalid('the address of the backend is not a valid URL');
