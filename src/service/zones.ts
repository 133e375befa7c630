/** Zones and their static IPs (specification, D). */
import { z } from 'zod';
import { isMapValue } from '../input/plain.ts';
import type { ServiceProfile } from './profile.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A static IP of a zone. What the service says beyond this is kept under its own names. */
export interface StaticIp {
  /** IPv4. */
  ip: string;
  /** Two letters, lower case, by the profile's `countryDatabase`. */
  country: string;
  /** What each geolocation database says, by its key: two letters, lower case. */
  geolocation: Record<string, string>;
  [unknown: string]: unknown;
}

export interface MigrateRequest {
  /** The source zone. */
  from: string;
  /** The target zone. */
  to: string;
  /** IPv4. */
  ips: readonly string[];
}

/** What the service says of a migration. What came of each IP shows in the listings, after a while. */
export interface Migrated {
  from: string;
  to: string;
  /** How many IPs were moved. */
  count: number;
  [unknown: string]: unknown;
}

export interface Zones {
  /** The static IPs of a zone (D1). A name that does not exist may list as empty. @throws ServiceError */
  ips(zone: string, options?: CallOptions): Promise<StaticIp[]>;
  /** The number of static IPs of a zone by country: two letters, lower case (D1, with the profile's switch). @throws ServiceError */
  countries(zone: string, options?: CallOptions): Promise<Record<string, number>>;
  /**
   * The IPs that lately attempted to use these zones, by zone; `'*'` means all of them (D2). The specification knows one
   * name or `*` a call, so each name is a call. @throws ServiceError
   */
  recentIps(zones: string | readonly string[], options?: CallOptions): Promise<Record<string, string[]>>;
  /** Moves static IPs to another zone (D3). May incur charges; needs the Admin or Ops role. @throws ServiceError */
  migrate(request: MigrateRequest, options?: CallOptions): Promise<Migrated>;
}

export function createZones(transport: Transport, profile: ServiceProfile): Zones {
  const { perCountrySwitch } = profile;
  const listing = listingSchema(profile.geolocation);

  async function recentIpsOf(zone: string, { signal }: CallOptions): Promise<Record<string, string[]>> {
    return transport.json({ method: 'GET', path: '/zone/recent_ips', query: { zones: zone }, signal }, recentIps);
  }

  return {
    async ips(zone, { signal } = {}) {
      const request = { method: 'GET', path: '/zone/ips', query: { zone }, fixes: listingFixes, signal } as const;
      return (await transport.json(request, listing)).ips;
    },
    countries(zone, { signal } = {}) {
      const query = { zone, [perCountrySwitch.name]: perCountrySwitch.value };
      const request = { method: 'GET', path: '/zone/ips', query, fixes: perCountryFixes, signal } as const;
      return transport.json(request, countries);
    },
    async recentIps(zones, options = {}) {
      const names = typeof zones === 'string' ? [zones] : [...new Set(zones)];
      const answers = await Promise.all(
        (names.includes('*') ? ['*'] : names).map((name) => recentIpsOf(name, options)),
      );
      return Object.fromEntries(answers.flatMap((answer) => Object.entries(answer)));
    },
    migrate({ from, to, ips }, { signal } = {}) {
      const body = { from, to, ips };
      return transport.json({ method: 'POST', path: '/zone/ips/migrate', body, fixes: migrateFixes, signal }, migrated);
    },
  };
}

/**
 * The shape of a listing under the profile's key names, turned into static IPs. Entries are looked at by hand: of a large account there
 * are hundreds of thousands, and a schema takes longer for one than everything else. It says what is wrong with those that are none.
 */
function listingSchema({ first, others, countryDatabase = first }: ServiceProfile['geolocation']) {
  const isCode = z.string();
  const ext = z.looseObject(Object.fromEntries(others.map((name) => [name, isCode])));
  const entries = z.array(z.looseObject({ [first]: isCode, ip: z.string(), ext }));
  const known = new Set(others).size;

  function toStaticIp(entry: unknown): StaticIp | undefined {
    if (!isMapValue(entry)) return undefined;
    const { ip, ext, [first]: said, ...rest } = entry;
    if (typeof ip !== 'string' || typeof said !== 'string' || !isMapValue(ext)) return undefined;
    const geolocation: Record<string, string> = { [first]: said.toLowerCase() };
    for (const name of others) {
      const code = ext[name];
      if (typeof code !== 'string') return undefined;
      geolocation[name] ??= code.toLowerCase();
    }
    // The profile names one of these.
    const country = geolocation[countryDatabase] ?? '';
    // Hardly ever is there more.
    const unknownExt = Object.keys(ext).length > known ? { ext: without(ext, others) } : {};
    return { ...rest, ...unknownExt, ip, country, geolocation };
  }

  return z.looseObject({
    ips: z.array(z.unknown()).transform((answered, { issues }) => {
      const ips: StaticIp[] = [];
      for (const entry of answered) {
        const ip = toStaticIp(entry);
        if (ip !== undefined) ips.push(ip);
      }
      if (ips.length === answered.length) return ips;
      const found = entries.safeParse(answered).error?.issues ?? [];
      issues.push(...found.map(({ path, message }) => ({ code: 'custom' as const, input: answered, path, message })));
      return z.NEVER;
    }),
  });
}

const countries = z.record(z.string(), z.int()).transform((counts) => {
  const folded: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) {
    const country = name.toLowerCase();
    folded[country] = (folded[country] ?? 0) + count;
  }
  return folded;
});

const recentIps = z.record(z.string(), z.array(z.string()));

const migrated: z.ZodType<Migrated> = z.looseObject({ from: z.string(), to: z.string(), count: z.int() });

function without(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

const unauthorized =
  'Use a valid API key (WEBDATA_API_KEY); to move IPs, that of an Admin or Ops user. This one may have expired or been refreshed.';

const listingFixes = {
  unauthorized,
  forbidden: "The key's user needs a role that may read zones; Admin or Ops may also change them.",
  'unexpected-answer':
    'Check the URL; if the geolocation databases have other names here, set them in the service profile (geolocation).',
};

const perCountryFixes = {
  'unexpected-answer':
    'Check the URL; if the switch has another name here, set it in the service profile (perCountrySwitch).',
};

const migrateFixes = {
  unauthorized,
  forbidden: "The key's user needs the Admin or Ops role.",
};
