/** The client of the service's API: `createClient({ url, apiKey })`, and one object for each area of the specification. */

import { headerSecret } from './call.ts';
import { parseProfile, type ServiceProfile, type ServiceProfileInput } from './profile.ts';
import { redactor } from './redact.ts';
import { createReseller, type Reseller } from './reseller.ts';
import { type ConnectionOptions, createTransport } from './transport.ts';
import { createZones, type Zones } from './zones.ts';

export interface ClientOptions extends ConnectionOptions {
  /** Sent as a bearer token with every call; never seen in an error or in the log of requests. */
  apiKey: string;
  /** What the specification leaves open; the defaults where it is left out. */
  profile?: ServiceProfileInput | undefined;
}

export interface Client {
  readonly zones: Zones;
  readonly reseller: Reseller;
  readonly profile: ServiceProfile;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void>;
}

/** Sends nothing yet. @throws ServiceError for an unusable URL or API key, ProblemError for an invalid profile. */
export function createClient({ apiKey, profile: profileInput, ...connection }: ClientOptions): Client {
  const shownUrl = redactor([apiKey])(connection.url);
  const key = headerSecret(apiKey, 'the API key', shownUrl, 'Set WEBDATA_API_KEY to the key as it was shown once.');
  const profile = parseProfile(profileInput);
  const headers = { authorization: `Bearer ${key}` };
  const transport = createTransport({ ...connection, headers, secrets: [key], fixes: {} });
  return {
    zones: createZones(transport, profile),
    reseller: createReseller(transport, profile),
    profile,
    origin: transport.origin,
    close: transport.close,
  };
}
