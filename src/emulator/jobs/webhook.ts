/** Calls of webhooks (Events). */
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { WebhookDestination } from './destinations.ts';
import type { RowAnswer } from './rowText.ts';

/** Outcome of a call. Only an answer of 200 before the timeout is a success. */
export type WebhookOutcome = number | 'timeout' | 'unreachable';

/** A text or a stream, and the headers that describe it. */
export interface Payload {
  body: Readable | string;
  headers: Record<string, string>;
}

export async function callWebhook(
  { url }: WebhookDestination,
  { body, headers }: Payload,
  { acknowledgeMs, closing }: { acknowledgeMs: number; closing: AbortSignal },
): Promise<WebhookOutcome> {
  const deadline = AbortSignal.timeout(acknowledgeMs);
  const signal = AbortSignal.any([deadline, closing]);
  const sent = typeof body === 'string' ? body : Readable.toWeb(body);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: sent,
      duplex: 'half',
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    if (closing.aborted) throw error;
    return deadline.aborted ? 'timeout' : 'unreachable';
  } finally {
    if (body instanceof Readable) body.destroy();
  }
}

/** Returns the result as the JSON array that a download gives (Events, 2). */
export function resultPayload({ body, headers }: RowAnswer, to: WebhookDestination): Payload {
  const { uncompressed, authorization } = to;
  const withAuthorization = authorization === undefined ? headers : { ...headers, authorization };
  if (uncompressed) return { body, headers: withAuthorization };
  const compressed = pipeline(body, createGzip(), () => undefined);
  return { body: compressed, headers: { ...withAuthorization, 'content-encoding': 'gzip' } };
}
