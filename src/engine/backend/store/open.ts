/** Opens the store at an address. Loads only the client that is used. */
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { bucketAddress } from '../../../base/drivers/bucketAddress.ts';
import type { Env } from '../../../base/drivers/s3.ts';
import { parseAddress } from '../../../base/values/address.ts';
import type { ObjectStore } from '../store.ts';
import { backendAddressProblem, invalidUrl } from './address.ts';

/** Sends nothing yet: an unreachable store is an error of the first read or write. @throws ProblemError if the address is not valid */
export async function openObjectStore(address: string, env: Env): Promise<ObjectStore> {
  const problem = backendAddressProblem(address);
  if (problem !== undefined) throw new ProblemError([problem]);
  const parsed = parseAddress(address);
  if (parsed.kind !== 'server') throw new TypeError('a folder is not an object store');
  const bucket = bucketAddress(parsed.url);
  if (bucket !== undefined) return (await import('./s3.ts')).openS3Store(bucket, env);
  const { openPostgresStore } = await import('./postgres.ts');
  try {
    return openPostgresStore(parsed.url);
  } catch {
    throw new ProblemError([invalidUrl]);
  }
}
