/** The client of the service's API: `createClient({ url, apiKey })`, with one object per area of the service. */

import type { FixText } from '../base/diagnostics/fix.ts';
import { type Collectors, createCollectors } from './areas/jobs/collectors.ts';
import { createDatasets, type Datasets } from './areas/jobs/datasets.ts';
import { createFetcher, createSendRequest, type SendRequest, type StreamRequest } from './areas/proxy/request.ts';
import { createSearch, type Search } from './areas/search/search.ts';
import { createOpenRoutes, type OpenRoutes } from './areas/zones/openRoutes.ts';
import { createReseller, type Reseller } from './areas/zones/reseller.ts';
import { createZones, type Zones } from './areas/zones/zones.ts';
import type { ZoneTypes } from './areas/zones/zoneTypes.ts';
import { createInferences, type InferredProfile } from './inferredProfile.ts';
import { parseProfile, type ServiceProfile, type ServiceProfileInput } from './profile.ts';
import { redactor } from './redact.ts';
import { type ConnectionOptions, createTransport } from './transport/transport.ts';
import { headerSecret } from './transport/wireRequest.ts';

export interface ClientOptions extends ConnectionOptions {
  /** Bearer token of every call. It never appears in errors or in the request log. */
  apiKey: string;
  /** Service profile. Missing fields have their defaults. */
  profile?: ServiceProfileInput | undefined;
  /** Types of zones by name. Requests through these zones are checked before they are sent. */
  zoneTypes?: ZoneTypes | undefined;
}

export interface Client {
  readonly request: SendRequest;
  readonly requestStream: StreamRequest;
  readonly search: Search;
  readonly zones: Zones;
  /** Reads that the specification does not have: all zones, their plans and costs, the balance. */
  readonly account: OpenRoutes;
  readonly collectors: Collectors;
  readonly datasets: Datasets;
  readonly reseller: Reseller;
  readonly profile: ServiceProfile;
  /** Returns the part of the profile that was inferred from answers so far. */
  inferredProfile(): InferredProfile;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>;
}

/** Creates a client without sending anything. @throws ServiceError for an unusable URL or API key, ProblemError for an invalid profile */
export function createClient({ apiKey, profile: profileInput, zoneTypes = {}, ...connection }: ClientOptions): Client {
  const redact = redactor([apiKey]);
  const shownUrl = redact(connection.url);
  const key = headerSecret(apiKey, 'the API key', shownUrl, keyFix);
  const profile = parseProfile(profileInput);
  const headers = { authorization: `Bearer ${key}` };
  const transport = createTransport({ ...connection, headers, secrets: [key], fixes: {} });
  const inferences = createInferences();
  const account = createOpenRoutes(transport, profile, inferences);
  const fetcher = createFetcher(transport, { profile, zoneTypes });
  return {
    request: createSendRequest(fetcher),
    requestStream: fetcher.stream,
    search: createSearch(fetcher, { profile, zoneTypes }),
    zones: createZones(transport, profile, { inferences, account }),
    account,
    collectors: createCollectors(transport, profile),
    datasets: createDatasets(transport, profile, inferences),
    reseller: createReseller(transport, profile),
    profile,
    inferredProfile: inferences.profile,
    origin: transport.origin,
    close: transport.close,
  };
}

const keyFix: FixText = ({ apiKey }) => `Set ${apiKey} to the complete key.`;
