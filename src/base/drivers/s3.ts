/** Loads and configures the AWS client, for any S3 server. The client is an optional package. */
import type * as s3 from '@aws-sdk/client-s3';
import { ProblemError } from '../diagnostics/problem.ts';

/** The AWS client module. */
export type Sdk = typeof s3;

export type Env = Readonly<Record<string, string | undefined>>;

/** @param purpose the option or setting that needs the client, for the error */
export async function loadSdk(purpose: string): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (error) {
    // The bundle of `webdata` loads packages with require(), whose code has no prefix.
    if (!(error as NodeJS.ErrnoException).code?.endsWith('MODULE_NOT_FOUND')) throw error;
    const found = `${purpose} needs the AWS client, which is not installed`;
    throw new ProblemError([{ code: 'missing-package', found, fix: 'npm install @aws-sdk/client-s3' }]);
  }
}

/** Time limits that the client enforces, in milliseconds. A `requestTimeout` alone makes it only print a warning. */
type RequestLimits = { requestTimeout: number; throwOnRequestTimeout: true } | { socketTimeout: number };

/**
 * Returns the options that the environment implies. The client itself finds the endpoint and the credentials. Most other S3 servers
 * support only path-style addresses, and no regions.
 */
export function clientOptions(env: Env, limits: RequestLimits) {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? (hasOtherEndpoint(env) ? 'us-east-1' : undefined);
  return {
    forcePathStyle: hasOtherEndpoint(env),
    requestHandler: { connectionTimeout: 5000, ...limits },
    ...(region === undefined ? {} : { region }),
  };
}

function hasOtherEndpoint({ AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL }: Env): boolean {
  return (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
}

/** Returns the HTTP status of a failed request; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
