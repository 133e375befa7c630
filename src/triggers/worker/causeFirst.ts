/** Errors of the service as reasons of runs. */
import type { ServiceError } from '../../client/errors.ts';

/** Returns one sentence with the cause first: the words of the service, then what it answered. Without its words, names the request. */
export function causeFirst({ said, message, status, code }: ServiceError): string {
  if (said === undefined || status === undefined) return message;
  const what = code === 'job-failed' ? 'job failed' : `answered ${status}`;
  return `${said.replace(/[.\s]+$/, '')} (${what})`;
}
