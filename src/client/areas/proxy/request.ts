/** Proxied requests (specification, A): a page, fetched through a zone. Each one is billed, so none is sent twice. */

import type { Fixes, ServiceError } from '../../errors.ts';
import type { ServiceProfile } from '../../profile.ts';
import type { Reader } from '../../reading/readers.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import type { Received, WireRequest } from '../../transport/wireRequest.ts';
import type { ZoneTypes } from '../zones/zoneTypes.ts';
import { type CheckedRequest, requestCheck } from './requestRules.ts';

export type RequestFormat = CheckedRequest['format'];

/** A request in this client's names; `asn`, `tag` and `dataFormat` are sent as `ASN`, `c_tag` and `data_format`. */
export interface ProxiedRequest<Format extends RequestFormat = RequestFormat> extends CheckedRequest {
  format: Format;
}

/** A fetched page. The specification does not show the shape of `json`: it is the parsed value, or the text of a page that is not JSON. */
export type Fetched<Format extends RequestFormat> = Format extends 'raw' ? string : unknown;

/**
 * Fetches a page (A). Because it is billed, it is sent again only if it provably never left this machine or was refused temporarily.
 * @throws ProblemError for invalid fields, ServiceError
 */
export type SendRequest = <Format extends RequestFormat>(
  request: ProxiedRequest<Format>,
  options?: CallOptions,
) => Promise<Fetched<Format>>;

/** The body of an answer as a stream, for pages that are binary or larger than memory. */
export interface FetchedStream {
  /** Content type from the service, such as `image/png`. */
  contentType: string | undefined;
  /**
   * Bytes of the body. Read them once, to their end or until the loop is left; otherwise abort the call. A body that breaks off fails the
   * iteration.
   */
  bytes: AsyncIterable<Uint8Array>;
}

/** Fetches a page as `SendRequest` does, and returns the exact bytes. @throws ProblemError for invalid fields, ServiceError */
export type StreamRequest = (request: ProxiedRequest, options?: CallOptions) => Promise<FetchedStream>;

/** Settings for proxied requests. */
interface RequestSettings {
  profile: ServiceProfile;
  zoneTypes: ZoneTypes;
}

interface FetchOptions extends CallOptions {
  /** Advice by error code, more specific than that for other requests. */
  fixes?: Fixes;
}

/** Fetcher of proxied requests for callers that know the kind of answer. */
export interface Fetcher {
  text(request: ProxiedRequest, options?: FetchOptions): Promise<string>;
  /** Returns the parsed value. Text that is not JSON is kept, because it is billed. An HTML page is an error that contains it. */
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
  // JSON omits undefined fields.
  return { ...rest, ASN: asn, c_tag: tag, data_format: dataFormat };
}

/** Returns the error for an answer with the tag of another request. */
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
  refused: 'Compare the zone and the other fields of the request with the message of the service.',
  'unexpected-answer':
    'Check the URL and the format. If this service returns the tag in another header, set tagHeader in the service profile.',
};
