/** The client of the service's API: `createClient({ url, apiKey })`, and one object for each area of the specification. */

import { type Collectors, createCollectors } from './areas/jobs/collectors.ts';
import { createDatasets, type Datasets } from './areas/jobs/datasets.ts';
import { createFetcher, createSendRequest, type SendRequest, type StreamRequest } from './areas/proxy/request.ts';
import { createSearch, type Search } from './areas/search/search.ts';
import { createReseller, type Reseller } from './areas/zones/reseller.ts';
import { createZones, type Zones } from './areas/zones/zones.ts';
import type { ZoneTypes } from './areas/zones/zoneTypes.ts';
import { createInferences, type InferredProfile } from './inferredProfile.ts';
import { parseProfile, type ServiceProfile, type ServiceProfileInput } from './profile.ts';
import { redactor } from './redact.ts';
import { type ConnectionOptions, createTransport } from './transport/transport.ts';
import { headerSecret } from './transport/wireRequest.ts';

export interface ClientOptions extends ConnectionOptions {
  /** Sent as a bearer token with every call; never seen in an error or in the log of requests. */
  apiKey: string;
  /** What the specification leaves open; the defaults where it is left out. */
  profile?: ServiceProfileInput | undefined;
  /** The types of zones by name; requests through these are checked before they are sent. */
  zoneTypes?: ZoneTypes | undefined;
}

export interface Client {
  readonly request: SendRequest;
  readonly requestStream: StreamRequest;
  readonly search: Search;
  readonly zones: Zones;
  readonly collectors: Collectors;
  readonly datasets: Datasets;
  readonly reseller: Reseller;
  readonly profile: ServiceProfile;
  /** The part of the profile that was read from the answers so far. */
  inferredProfile(): InferredProfile;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void>;
}

/** Sends nothing yet. @throws ServiceError for an unusable URL or API key, ProblemError for an invalid profile. */
export function createClient({ apiKey, profile: profileInput, zoneTypes = {}, ...connection }: ClientOptions): Client {
  const redact = redactor([apiKey]);
  const shownUrl = redact(connection.url);
  const key = headerSecret(apiKey, 'the API key', shownUrl, 'Set WEBDATA_API_KEY to the key as it was shown once.');
  const profile = parseProfile(profileInput);
  const headers = { authorization: `Bearer ${key}` };
  const transport = createTransport({ ...connection, headers, secrets: [key], fixes: {} });
  const inferences = createInferences();
  const fetcher = createFetcher(transport, { profile, zoneTypes });
  return {
    request: createSendRequest(fetcher),
    requestStream: fetcher.stream,
    search: createSearch(fetcher, { profile, zoneTypes }),
    zones: createZones(transport, profile, inferences),
    collectors: createCollectors(transport, profile),
    datasets: createDatasets(transport, profile),
    reseller: createReseller(transport, profile),
    profile,
    inferredProfile: inferences.profile,
    origin: transport.origin,
    close: transport.close,
  };
}
