/** Reads of an account that the specification does not have, and that many services offer: all zones, what they may hold and cost, the balance. */
import { isMapValue } from '../../../base/values/plain.ts';
import { ServiceError } from '../../errors.ts';
import type { Inferences } from '../../inferredProfile.ts';
import type { ServiceProfile } from '../../profile.ts';
import { asNumber, isEmptyValue, type Reader, reportedError, ShapeFault } from '../../reading/readers.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import { type ZoneType, zoneTypes } from './zoneTypes.ts';

export interface ActiveZone {
  name: string;
  /** Undefined for a type that this client does not know. */
  type: ZoneType | undefined;
}

export interface ZoneCost {
  /** Bytes. */
  bandwidth: number;
  /** Money, in the currency of the account. */
  cost: number;
}

/** Each method returns undefined if the service does not have its route. */
export interface OpenRoutes {
  /** Returns all zones of the account. */
  activeZones(options?: CallOptions): Promise<ActiveZone[] | undefined>;
  /** Returns the names of all zones, once for all callers, if the service is known to list them. Asks no service of which that is not known. */
  knownZoneNames(options?: CallOptions): Promise<readonly string[] | undefined>;
  /** Returns the number of static IPs that the plan of a zone allows. The rest of the answer, which has a password, is dropped. */
  plannedIps(zone: string, options?: CallOptions): Promise<number | undefined>;
  /** Returns the costs of a zone by period (`back_m0` is this month, `back_d0` today), and the account's own id. */
  zoneCost(
    zone: string | undefined,
    options?: CallOptions,
  ): Promise<{ account: string; periods: Record<string, ZoneCost> } | undefined>;
  balance(options?: CallOptions): Promise<{ balance: number; pending: number | undefined } | undefined>;
}

export function createOpenRoutes(
  transport: Transport,
  { accountRoutes, accountId }: ServiceProfile,
  inferences: Inferences,
): OpenRoutes {
  /** Known after the first answer, so that a service without the routes is asked once. */
  let isOffered = accountRoutes;
  /** The end of the time for which a refusal is believed: it may come from a gateway, and servers run for months. */
  let missingUntil = 0;

  async function ask<T>(path: string, query: Record<string, string>, read: Reader<T>, { signal }: CallOptions = {}) {
    if (isOffered === false || Date.now() < missingUntil) return undefined;
    try {
      const found = await transport.read({ method: 'GET', path, query, signal, ...quiet }, read);
      if (isOffered === undefined) inferences.add({ accountRoutes: true });
      isOffered = true;
      return found;
    } catch (error) {
      if (!(error instanceof ServiceError && isMissing(error))) throw error;
      // A profile that pins the routes is believed: then a refusal is about what was asked for.
      if (isOffered === true) throw error;
      missingUntil = Date.now() + missingMs;
      return undefined;
    }
  }

  const activeZones: OpenRoutes['activeZones'] = (options) => ask('/zone/get_active_zones', {}, zoneList, options);
  let listing: Promise<ActiveZone[] | undefined> | undefined;
  return {
    activeZones,
    async knownZoneNames(options) {
      if (isOffered !== true) return undefined;
      listing ??= activeZones(options);
      return (await listing.catch(() => undefined))?.map(({ name }) => name);
    },
    plannedIps: (zone, options) => ask('/zone', { zone }, plannedCount, options),
    async zoneCost(zone, options) {
      const found = await ask('/zone/cost', zone === undefined ? {} : { zone }, costs, options);
      if (found !== undefined && accountId === undefined) inferences.add({ accountId: found.account });
      return found;
    },
    balance: (options) => ask('/customer/balance', {}, balanceOf, options),
  };
}

/** Longer than a command asks the service. */
const missingMs = 60 * 60_000;

/** Answers may contain passwords. */
const quiet = { isConfidential: true } as const;

/** Returns true for the answers of a service that does not have the route. A refused key or role says nothing about it. */
function isMissing({ code, status }: ServiceError): boolean {
  return code === 'not-found' || status === 400 || status === 405 || status === 501 || code === 'unexpected-answer';
}

const wireTypes: Readonly<Record<string, ZoneType>> = {
  dc: 'datacenter',
  isp: 'isp',
  serp: 'search',
  unblocker: 'unlocker',
  res_rotating: 'residential',
  res_static: 'isp',
  browser_api: 'browser',
  mobile: 'mobile',
};

const zoneList: Reader<ActiveZone[]> = (value, at) => {
  if (isEmptyValue(value)) return [];
  if (!Array.isArray(value)) throw new ShapeFault(at.path, 'a list of zones', value);
  return value.map((entry) => {
    const { name, type }: Record<string, unknown> = isMapValue(entry) ? entry : { name: entry };
    if (typeof name !== 'string' || name === '') throw new ShapeFault(at.path, 'zones with a name', entry);
    return { name, type: knownType(type) };
  });
};

function knownType(type: unknown): ZoneType | undefined {
  return wireTypes[String(type)] ?? zoneTypes.find((known) => known === type);
}

const plannedCount: Reader<number | undefined> = (value, at) => {
  if (!isMapValue(value) || reportedError(value) !== undefined)
    throw new ShapeFault(at.path, 'details of a zone', value);
  const { plan } = value;
  return isMapValue(plan) ? asNumber(plan.ips) : undefined;
};

const costs: Reader<{ account: string; periods: Record<string, ZoneCost> }> = (value, at) => {
  const [[account, periods] = ['', undefined]] = isMapValue(value) ? Object.entries(value) : [];
  if (!isMapValue(periods) || reportedError(value) !== undefined)
    throw new ShapeFault(at.path, 'costs of an account', value);
  const read = Object.entries(periods).flatMap(([period, periodFields]): [string, ZoneCost][] => {
    if (!isMapValue(periodFields)) return [];
    return [[period, { bandwidth: asNumber(periodFields.bw) ?? 0, cost: asNumber(periodFields.cost) ?? 0 }]];
  });
  return { account, periods: Object.fromEntries(read) };
};

const balanceOf: Reader<{ balance: number; pending: number | undefined }> = (value, at) => {
  const balance = isMapValue(value) ? asNumber(value.balance) : undefined;
  if (!isMapValue(value) || balance === undefined) throw new ShapeFault(at.path, 'a balance', value);
  return { balance, pending: asNumber(value.pending_balance) };
};
