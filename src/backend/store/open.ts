/** Opens the store at an address. Loads only the client that is used. */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { bucketAddress, type Env } from '../../drivers/s3.ts';
import type { ObjectStore } from '../store.ts';

/** True for addresses of stores, false for folders. */
export function isStoreAddress(address: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(address);
}

/** Sends nothing yet: an unreachable store is an error of the first read or write. @throws ProblemError if the address is not valid */
export async function openObjectStore(address: string, env: Env): Promise<ObjectStore> {
  const [scheme = ''] = address.toLowerCase().split('://');
  if (scheme === 's3') {
    const bucket = bucketAddress(address);
    if (bucket === undefined) throw new ProblemError([invalid('the address of the backend is not a valid S3 address')]);
    return (await import('./s3.ts')).openS3Store(bucket, env);
  }
  if (scheme !== 'postgres' && scheme !== 'postgresql')
    throw new ProblemError([invalid(`${scheme}:// backends are not supported`)]);
  const { openPostgresStore } = await import('./postgres.ts');
  try {
    return openPostgresStore(address);
  } catch {
    throw new ProblemError([invalid('the address of the backend is not a valid URL')]);
  }
}

/** Never quotes the address, which may contain a password. */
function invalid(found: string): Problem {
  return {
    code: 'invalid-backend',
    found,
    allowed: 'a folder, s3://BUCKET/PREFIX, or postgres://USER@HOST:PORT/DATABASE',
    fix: 'correct backend in the file, WEBDATA_BACKEND or --backend; percent-encode special characters, such as %40 for @',
  };
}
