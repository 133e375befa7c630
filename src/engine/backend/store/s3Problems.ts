/** Errors of the AWS client as problems. They never quote its messages, which may contain parts of the request. */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { statusOf } from '../../../base/drivers/s3.ts';

export type Action = 'read' | 'write' | 'remove' | 'list';

/** True if the object does not exist, or the condition of the write does not hold. */
export function hasNoObject(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 404 && wordFor(error) !== 'NoSuchBucket');
}

/** Errors after which another attempt may succeed. After `RequestTimeTooSkewed`, the client uses the server's time. */
const uncertainNames: ReadonlySet<string> = new Set(['RequestTimeTooSkewed', 'RequestTimeout', 'SlowDown']);

/** True if another attempt may succeed, and it is unknown whether the server carried out this one. */
export function isUncertain(error: unknown): boolean {
  const status = statusOf(error);
  if (uncertainNames.has(wordFor(error))) return true;
  if (status === undefined) return !isDenied(error) && !isRegionMissing(error);
  return [408, 409, 429].includes(status) || (status >= 500 && status !== notImplemented);
}

export function unreachableProblem(address: string, error: unknown): Problem {
  return {
    code: 'backend-unreachable',
    found: `backend ${address} is unreachable: ${wordFor(error)}`,
    fix: 'check AWS_ENDPOINT_URL_S3, AWS_REGION and the network, then run the command again',
  };
}

export function ignoresConditions(address: string): Problem {
  return {
    code: 'backend-unsuitable',
    found: `the server of backend ${address} has no conditional writes, so two runs could apply at once`,
    allowed: 'an S3 server whose PutObject supports If-None-Match and If-Match',
    fix: 'upgrade the server, or use a postgres:// backend',
  };
}

export function refusedProblem(address: string, action: Action, error: unknown): Problem {
  const backend = `backend ${address}`;
  if (wordFor(error) === 'NoSuchBucket') {
    const fix = 'create the bucket, or correct its name, AWS_REGION or AWS_ENDPOINT_URL_S3';
    return { code: 'backend-absent', found: `${backend}: the bucket does not exist`, fix };
  }
  if (statusOf(error) === notImplemented) return ignoresConditions(address);
  if (isDenied(error)) {
    const fix =
      'check the credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) and their policy: s3:GetObject, s3:PutObject, s3:DeleteObject, s3:ListBucket';
    const found = `${backend}: the credentials give no permission to ${action} objects (${wordFor(error)})`;
    return { code: 'backend-denied', found, fix };
  }
  const why = isRegionMissing(error) ? 'AWS_REGION is not set' : wordFor(error);
  const fix = 'check AWS_REGION, AWS_ENDPOINT_URL_S3 and the settings of the bucket';
  return { code: 'backend-refused', found: `${backend} cannot ${action} objects: ${why}`, fix };
}

/** The status with which servers refuse headers that they know and do not support. */
const notImplemented = 501;

const deniedNames: ReadonlySet<string> = new Set([
  'AccessDenied',
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
]);

function isDenied(error: unknown): boolean {
  return [401, 403].includes(statusOf(error) ?? 0) || deniedNames.has(wordFor(error));
}

function isRegionMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Region is missing');
}

function wordFor(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return (statusOf(error) === undefined ? code : undefined) ?? name ?? 'Error';
}
