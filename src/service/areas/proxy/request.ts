/** Proxied requests (specification, A): a page, fetched through a zone. Each one is billed, so none is sent twice. */

import type { Fixes, ServiceError } from '../../errors.ts';
import type { ServiceProfile } from '../../profile.ts';
import type { Reader } from '../../reading/readers.ts';
import type { CallOptions, Received, Transport } from '../../transport/transport.ts';
import type { WireRequest } from '../../transport/wireRequest.ts';
import type { ZoneTypes } from '../zones/zoneTypes.ts';
import { type CheckedRequest, requestCheck } from './requestRules.ts';

export type RequestFormat = CheckedRequest['format'];

/** Under names of our own; `asn`, `tag` and `dataFormat` go out as `ASN`, `c_tag` and `data_format`. */
export interface ProxiedRequest<Format extends RequestFormat = RequestFormat> extends CheckedRequest {
  format: Format;
}

/** The page itself; of `json`, whose shape the specification does not show, the parsed value, or the text of a page that is no JSON. */
export type Fetched<Format extends RequestFormat> = Format extends 'raw' ? string : unknown;

/**
 * Fetches a page (A). Sent again only where it provably never left this machine or was refused for now: it is billed.
 * @throws ProblemError for fields that break a rule, ServiceError
 */
export type SendRequest = <Format extends RequestFormat>(
  request: ProxiedRequest<Format>,
  options?: CallOptions,
) => Promise<Fetched<Format>>;

/** The body of an answer as it comes, for pages that are no text or larger than memory. */
export interface FetchedStream {
  /** As the service says it, such as `image/png`. */
  contentType: string | undefined;
  /** Read once, to its end or until its loop is left; else abort the call. What breaks off is an error of the iteration. */
  bytes: AsyncIterable<Uint8Array>;
}

/** As `SendRequest`, and the very bytes. @throws ProblemError for fields that break a rule, ServiceError */
export type StreamRequest = (request: ProxiedRequest, options?: CallOptions) => Promise<FetchedStream>;

/** What a client needs besides its transport to send proxied requests. */
export interface RequestSettings {
  profile: ServiceProfile;
  zoneTypes: ZoneTypes;
}

interface FetchOptions extends CallOptions {
  /** What to do about an error, where it is known better than of any request. */
  fixes?: Fixes;
}

/** Proxied requests for those who know what kind of answer they get. */
export interface Fetcher {
  text(request: ProxiedRequest, options?: FetchOptions): Promise<string>;
  /** The parsed value; text that is no JSON stays as it is, as it is paid for. An HTML page is an error that holds it. */
  json(request: ProxiedRequest, options?: FetchOptions): Promise<unknown>;
  /** Reads the answer as JSON, for either format of the request. */
  value<T>(request: ProxiedRequest, reader: Reader<T>, options?: FetchOptions): Promise<T>;
  stream: StreamRequest;
}

export function createFetcher(transport: Transport, { profile, zoneTypes }: RequestSettings): Fetcher {
  const check = requestCheck(zoneTypes);

  function wireRequest(request: ProxiedRequest, { signal, ...better }: FetchOptions = {}): WireRequest {
    const checked = check(request);
    return {
      method: 'POST',
      path: '/request',
      body: wireBody(checked),
      accept: checked.format === 'raw' ? '*/*' : 'application/json',
      fixes: { ...generalFixes, ...better.fixes },
      fault: (answer) => wrongTag(checked.tag, profile.tagHeader, answer),
      signal,
    };
  }

  return {
    text: async (request, options) => (await transport.text(wireRequest(request, options))).text,
    json: async (request, options) =>
      transport.read({ ...wireRequest(request, options), takesText: true }, (value, { path, misfits }) => {
        if (typeof value === 'string') misfits.add(path, value, 'JSON');
        return value ?? '';
      }),
    value: async (request, reader, options) => transport.read(wireRequest(request, options), reader),
    async stream(request, options) {
      const { header, body } = await transport.stream(wireRequest(request, options));
      return { contentType: header('content-type'), bytes: body };
    },
  };
}

export function createSendRequest(fetcher: Fetcher): SendRequest {
  async function send(request: ProxiedRequest, options?: CallOptions): Promise<unknown> {
    return request.format === 'json' ? fetcher.json(request, options) : fetcher.text(request, options);
  }
  return send as SendRequest;
}

function wireBody({ asn, tag, dataFormat, ...rest }: CheckedRequest): Record<string, unknown> {
  // JSON leaves out what is undefined.
  return { ...rest, ASN: asn, c_tag: tag, data_format: dataFormat };
}

/** The error of an answer that is marked as that to another request. */
function wrongTag(
  sent: string | undefined,
  name: string,
  { header, fail, redact }: Received,
): ServiceError | undefined {
  const came = header(name);
  if (sent === undefined || came === undefined || came === sent) return undefined;
  const what = `was answered with the tag "${redact(came)}" in ${name}, where "${redact(sent)}" was sent`;
  return fail('unexpected-answer', what, { status: 200 });
}

const generalFixes: Fixes = {
  refused: 'Check the zone and the other fields of the request against what was said.',
  'unexpected-answer':
    'Check the URL and the format; if the tag comes back in another header here, set it in the service profile (tagHeader).',
};
