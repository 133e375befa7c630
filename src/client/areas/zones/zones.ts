/** Zones and their static IPs (specification, D). */

import { z } from 'zod';
import type { FixText } from '../../../base/diagnostics/fix.ts';
import { didYouMean } from '../../../base/diagnostics/nearest.ts';
import { assertNoProblems } from '../../../base/diagnostics/problem.ts';
import { listValues } from '../../../base/diagnostics/zodDescribe.ts';
import { valueProblems } from '../../../base/diagnostics/zodProblems.ts';
import { ServiceError } from '../../errors.ts';
import type { Inferences } from '../../inferredProfile.ts';
import { profileYaml, type ServiceProfile } from '../../profile.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import { listingReader, type StaticIp, type ZoneListing } from './listing.ts';
import type { OpenRoutes } from './openRoutes.ts';
import { type Counts, countOf, countries, type Migrated, migrated, recentIps } from './zoneAnswers.ts';

export interface MigrateRequest {
  /** The source zone. */
  from: string;
  /** The target zone. */
  to: string;
  /** At least one IPv4 address, each once. */
  ips: readonly string[];
}

export interface Zones {
  /**
   * Returns the static IPs of a zone (D1). The service may answer an empty list for a name that does not exist.
   * @throws ServiceError, ProblemError
   */
  ips(zone: string, options?: CallOptions): Promise<StaticIp[]>;
  /** Returns the same as `ips`, with the inferred details of the listing. @throws ServiceError, ProblemError */
  listing(zone: string, options?: CallOptions): Promise<ZoneListing>;
  /**
   * Returns the number of static IPs of a zone by country: two letters in lower case (D1, with the profile's switch). Counts the listing
   * if the service ignores the switch.
   * @throws ServiceError, ProblemError
   */
  countries(zone: string, options?: CallOptions): Promise<Record<string, number>>;
  /**
   * Returns the IPs that recently attempted to use these zones, by zone; `'*'` means all zones (D2). The specification allows one name or
   * `*` per call, so each name is a call.
   * @throws ServiceError, ProblemError
   */
  recentIps(zones: string | readonly string[], options?: CallOptions): Promise<Record<string, string[]>>;
  /** Moves static IPs to another zone (D3). May incur charges; requires the Admin or Ops role. @throws ServiceError, ProblemError */
  migrate(request: MigrateRequest, options?: CallOptions): Promise<Migrated>;
}

interface ZonesContext {
  inferences: Inferences;
  account: OpenRoutes;
}

export function createZones(
  transport: Transport,
  profile: ServiceProfile,
  { inferences, account }: ZonesContext,
): Zones {
  const { perCountrySwitch } = profile;
  const read = listingReader(profile.geolocation);

  async function listing(zone: string, { signal }: CallOptions = {}): Promise<ZoneListing> {
    assertNoProblems(valueProblems(zoneNames, { zone }));
    const request = { method: 'GET', path: '/zone/ips', query: { zone }, fixes: listingFixes, signal } as const;
    const found = noted(await transport.read(request, read).catch(explainMissing(zone, signal)));
    // A mistyped name may list as an empty zone.
    if (found.ips.length === 0) await assertExists(zone, signal);
    return found;
  }

  function explainMissing(zone: string, signal: AbortSignal | undefined): (error: unknown) => Promise<never> {
    return async (error) => {
      if (error instanceof ServiceError && error.code === 'not-found') await assertExists(zone, signal);
      throw error;
    };
  }

  /** Compares a name with all zones, if the service is known to list them. @throws ServiceError with the nearest name */
  async function assertExists(zone: string, signal: AbortSignal | undefined): Promise<void> {
    const names = await account.knownZoneNames({ signal });
    if (names === undefined || names.includes(zone)) return;
    throw unknownZone(zone, names, `${transport.url}/zone/ips`);
  }

  function noted(found: ZoneListing): ZoneListing {
    const { first, others, isInferred } = found.names;
    if (isInferred) inferences.add({ geolocation: { first, others: [...others] } });
    return found;
  }

  async function countriesOf(zone: string, { signal }: CallOptions = {}): Promise<Counts> {
    if (perCountrySwitch.supported === false) return countOf((await listing(zone, { signal })).ips);
    assertNoProblems(valueProblems(zoneNames, { zone }));
    const query = { zone, [perCountrySwitch.name]: perCountrySwitch.value };
    const request = { method: 'GET', path: '/zone/ips', query, fixes: perCountryFixes, signal } as const;
    return transport.read(request, (value, at) => {
      const counts = countries(value, at);
      if (counts !== undefined) return counts;
      inferences.add({ perCountrySwitch: { supported: false } });
      return countOf(noted(read(value, at)).ips);
    });
  }

  async function recentIpsOf(zone: string, { signal }: CallOptions): Promise<Record<string, string[]>> {
    const request = { method: 'GET', path: '/zone/recent_ips', query: { zones: zone }, signal } as const;
    const found = await transport.read(request, recentIps(zone === '*' ? undefined : zone));
    if (zone !== '*' && Object.values(found).flat().length === 0) await assertExists(zone, signal);
    return found;
  }

  return {
    listing,
    ips: async (zone, options) => (await listing(zone, options)).ips,
    countries: countriesOf,
    async recentIps(zones, options = {}) {
      const names = typeof zones === 'string' ? [zones] : [...new Set(zones)];
      assertNoProblems(valueProblems(zoneNames, { zones: names }));
      const answers = await Promise.all(
        (names.includes('*') ? ['*'] : names).map((name) => recentIpsOf(name, options)),
      );
      return Object.fromEntries(answers.flatMap((answer) => Object.entries(answer)));
    },
    async migrate({ from, to, ips }, options = {}) {
      assertNoProblems(valueProblems(migration, { from, to, ips }));
      const body = { from, to, ips };
      const request = { method: 'POST', path: '/zone/ips/migrate', body, fixes: migrateFixes } as const;
      return transport.read({ ...request, ...options, takesText: true }, migrated({ from, to }));
    },
  };
}

function unknownZone(zone: string, names: readonly string[], url: string): ServiceError {
  return new ServiceError(`zone \`${zone}\` does not exist`, {
    code: 'not-found',
    request: { method: 'GET', url },
    fix: didYouMean(zone, names) ?? `the account has ${listValues(names)}`,
    effect: 'none',
    transient: false,
  });
}

const zoneName = z.string().regex(/\S/, 'must be the name of a zone');

/** Callers without types can pass anything. */
const zoneNames = z.object({ zone: zoneName.optional(), zones: z.array(zoneName).optional() });

const migration = z
  .object({ from: zoneName, to: zoneName, ips: z.array(z.ipv4()).min(1) })
  .refine(({ from, to }) => from !== to, { error: 'must be another zone than `from`', path: ['to'] })
  .refine(({ ips }) => new Set(ips).size === ips.length, { error: 'must be IPs, each listed once', path: ['ips'] });

const unauthorized: FixText = ({ apiKeyShort }) =>
  `Use a valid API key (${apiKeyShort}); moving IPs requires one of an Admin or Ops user. This one may have expired or been refreshed.`;

const examples = {
  geolocation: profileYaml({ geolocation: { first: 'NAME', others: ['NAME'] } }),
  perCountrySwitch: profileYaml({ perCountrySwitch: { name: 'NAME', value: 'true' } }),
};

const listingFixes = {
  unauthorized,
  forbidden: 'Use the key of a user whose role may read zones; Admin and Ops may also change them.',
  'unexpected-answer': `Check the URL. If this service uses other names for the geolocation databases, pin them: ${examples.geolocation}`,
};

const perCountryFixes = {
  'unexpected-answer': `Check the URL. If this service uses another name for the switch, pin it: ${examples.perCountrySwitch}`,
};

const migrateFixes = {
  unauthorized,
  forbidden: 'Use the key of a user with the Admin or Ops role.',
};
