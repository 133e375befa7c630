/** Opens the store at an address. Loads only the client that is used. */
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { hasSeveralHosts, oneHost } from '../../../base/drivers/postgresAddress.ts';
import { bucketAddress, type Env } from '../../../base/drivers/s3.ts';
import { parseAddress } from '../../../base/values/address.ts';
import type { ObjectStore } from '../store.ts';

/** True for addresses of stores, false for folders. */
export function isStoreAddress(address: string): boolean {
  return parseAddress(address).kind === 'server';
}

/** Returns a problem for an address that is neither a folder nor a store. */
export function backendAddressProblem(address: string): Problem | undefined {
  const parsed = parseAddress(address);
  if (parsed.kind === 'unclear') return invalid(`the address of the backend ${parsed.why}`, parsed.fix);
  if (parsed.kind === 'path' || ['s3', 'postgres', 'postgresql'].includes(parsed.scheme)) return undefined;
  return invalid(`${parsed.scheme}:// backends are not supported`);
}

/** Sends nothing yet: an unreachable store is an error of the first read or write. @throws ProblemError if the address is not valid */
export async function openObjectStore(address: string, env: Env): Promise<ObjectStore> {
  const problem = backendAddressProblem(address);
  if (problem !== undefined) throw new ProblemError([problem]);
  const parsed = parseAddress(address);
  if (parsed.kind !== 'server') throw new TypeError('a folder is not an object store');
  const { scheme, url } = parsed;
  if (scheme === 's3') {
    const bucket = bucketAddress(url);
    if (bucket === undefined) throw new ProblemError([invalid('the address of the backend is not a valid S3 address')]);
    return (await import('./s3.ts')).openS3Store(bucket, env);
  }
  if (hasSeveralHosts(url))
    throw new ProblemError([{ ...invalid('the address of the backend names several hosts'), ...oneHost }]);
  const { openPostgresStore } = await import('./postgres.ts');
  try {
    return openPostgresStore(url);
  } catch {
    throw new ProblemError([invalid('the address of the backend is not a valid URL')]);
  }
}

/** Never quotes the address, which may contain a password. */
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
