/** Proxied requests (specification, A): a page, fetched through a zone. Each one is billed, so none is sent twice. */

import { z } from 'zod';
import { valueIn } from './answers.ts';
import { type Fail, type Fixes, failing } from './errors.ts';
import type { ServiceProfile } from './profile.ts';
import type { Redact } from './redact.ts';
import { type CheckedRequest, checkedRequest } from './requestRules.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { ZoneTypes } from './zoneTypes.ts';

export type RequestFormat = CheckedRequest['format'];

/** Under names of our own; `asn`, `tag` and `dataFormat` go out as `ASN`, `c_tag` and `data_format`. */
export interface ProxiedRequest<Format extends RequestFormat = RequestFormat> extends CheckedRequest {
  format: Format;
}

/** The page itself; of `json`, whose shape the specification does not show, the parsed value. */
export type Fetched<Format extends RequestFormat> = Format extends 'raw' ? string : unknown;

/**
 * Fetches a page (A). Sent again only where it provably never left this machine or was refused for now: it is billed.
 * @throws ProblemError for fields that break a rule, ServiceError
 */
export type SendRequest = <Format extends RequestFormat>(
  request: ProxiedRequest<Format>,
  options?: CallOptions,
) => Promise<Fetched<Format>>;

/** What a client needs besides its transport to send proxied requests. */
export interface RequestSettings {
  profile: ServiceProfile;
  zoneTypes: ZoneTypes;
  redact: Redact;
}

interface FetchOptions extends CallOptions {
  /** What to do about an error, where it is known better than of any request. */
  fixes?: Fixes;
}

/** Proxied requests for those who know what kind of answer they get. */
export interface Fetcher {
  text(request: ProxiedRequest, options?: FetchOptions): Promise<string>;
  /** The answer read as JSON, whatever the request's format is. */
  value<Schema extends z.ZodType>(
    request: ProxiedRequest,
    schema: Schema,
    options?: FetchOptions,
  ): Promise<z.output<Schema>>;
}

export function createFetcher(transport: Transport, { profile, zoneTypes, redact }: RequestSettings): Fetcher {
  const call = { method: 'POST', url: redact(`${transport.url}/request`), read: false };

  async function answerTo(request: ProxiedRequest, { signal, ...better }: FetchOptions = {}) {
    const fixes = { ...generalFixes, ...better.fixes };
    const fail = failing(call, fixes);
    const checked = checkedRequest(request, zoneTypes);
    const accept = checked.format === 'raw' ? '*/*' : 'application/json';
    const body = wireBody(checked);
    const answer = await transport.text({ method: 'POST', path: '/request', body, accept, fixes, signal });
    checkTag(checked.tag, profile.tagHeader, answer.header(profile.tagHeader), fail, redact);
    return { answer, fail };
  }

  return {
    text: async (request, options) => (await answerTo(request, options)).answer.text,
    async value(request, schema, options) {
      const { answer, fail } = await answerTo(request, options);
      return valueIn({ ...answer, status: 200, retryAfterMs: undefined }, schema, fail, redact);
    },
  };
}

export function createSendRequest(fetcher: Fetcher): SendRequest {
  async function send(request: ProxiedRequest, options?: CallOptions): Promise<unknown> {
    return request.format === 'json' ? fetcher.value(request, z.unknown(), options) : fetcher.text(request, options);
  }
  return send as SendRequest;
}

function wireBody({ asn, tag, dataFormat, ...rest }: CheckedRequest): Record<string, unknown> {
  // JSON leaves out what is undefined.
  return { ...rest, ASN: asn, c_tag: tag, data_format: dataFormat };
}

/** @throws ServiceError where the answer is marked as that to another request */
function checkTag(sent: string | undefined, name: string, came: string | undefined, fail: Fail, redact: Redact): void {
  if (sent === undefined || came === undefined || came === sent) return;
  const what = `was answered with the tag "${redact(came)}" in ${name}, where "${redact(sent)}" was sent`;
  throw fail('unexpected-answer', what, { status: 200 });
}

const generalFixes: Fixes = {
  refused: 'Check the zone and the other fields of the request against what was said.',
  'unexpected-answer':
    'Check the URL and the format; if the tag comes back in another header here, set it in the service profile (tagHeader).',
};
