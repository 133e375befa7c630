/** Loads and configures the AWS client, for any S3 server. The client is an optional package. */
import type * as s3 from '@aws-sdk/client-s3';
import { ProblemError } from '../diagnostics/problem.ts';
import { shorten } from '../diagnostics/valueWords.ts';

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
 * Creates a client with the options that the environment implies. It finds the endpoint and the credentials itself. Most other S3 servers
 * support only path-style addresses, no regions, and not the checksums that the client adds by default.
 */
export function openClient(sdk: Sdk, env: Env, limits: RequestLimits & { maxAttempts?: number }): s3.S3Client {
  const { maxAttempts, ...requests } = limits;
  const isOther = hasOtherEndpoint(env);
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? (isOther ? 'us-east-1' : undefined);
  return new sdk.S3Client({
    requestHandler: { connectionTimeout: 5000, ...requests },
    ...(isOther && {
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    ...(region === undefined ? {} : { region }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  });
}

function hasOtherEndpoint({ AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL }: Env): boolean {
  return (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
}

/** Returns the HTTP status of a failed request; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

const longestWords = 200;

/**
 * Returns the status, the code and the message of a server that refused a request; undefined if there was no answer. A server never gets the
 * secret key, but its message may name objects: for operators only.
 */
export function serverWords(error: unknown): string | undefined {
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const { name, message } = error as Error;
  const words = message === '' || message === name ? name : `${name}: ${message}`;
  return shorten(`${status} ${words}`, longestWords);
}
