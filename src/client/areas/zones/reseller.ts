/** The reseller call (specification, E). */
import { isMapValue } from '../../../base/values/plain.ts';
import type { ServiceProfile } from '../../profile.ts';
import {
  below,
  isEmptyValue,
  optional,
  type Reader,
  reportedError,
  ShapeFault,
  text,
  type ValuePlace,
} from '../../reading/readers.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import { pathSegment } from '../../transport/wireRequest.ts';

export interface Asn {
  /** Number of the autonomous system, as the service writes it. */
  asn: string;
  /** Name; empty if the service has none. */
  title: string;
  [unknown: string]: unknown;
}

export interface Reseller {
  /** Returns the ASNs available to `partner`, which the specification documents as the name of a zone. @throws ServiceError */
  asns(partner: string, options?: CallOptions): Promise<Asn[]>;
}

export function createReseller(transport: Transport, profile: ServiceProfile): Reseller {
  return {
    async asns(partner, { signal } = {}) {
      const path = profile.resellerPath.replaceAll('{partner}', () => pathSegment(partner));
      return transport.read({ method: 'GET', path, signal }, asns);
    },
  };
}

/** Reads `[{asn, title}]`, or the same list in an object. */
const asns: Reader<Asn[]> = (value, at) => {
  if (Array.isArray(value)) return value.map((entry, index) => asnOf(entry, below(at, index)));
  if (isEmptyValue(value)) return [];
  const lists = isMapValue(value) ? Object.entries(value).filter(([, field]) => Array.isArray(field)) : [];
  const [only] = lists;
  if (only !== undefined && lists.length === 1 && reportedError(value) === undefined)
    return asns(only[1], below(at, only[0]));
  throw new ShapeFault(at.path, 'a list of ASNs', value);
};

function asnOf(entry: unknown, at: ValuePlace): Asn {
  if (!isMapValue(entry) || entry.asn === undefined) throw new ShapeFault(at.path, 'an entry with an `asn`', entry);
  return { ...entry, asn: numberOf(entry.asn, below(at, 'asn')), title: titleOf(entry.title, below(at, 'title')) };
}

function numberOf(value: unknown, at: ValuePlace): string {
  const asn = typeof value === 'number' ? `${value}` : value;
  if (typeof asn === 'string' && /\d/.test(asn)) return asn;
  throw new ShapeFault(at.path, 'the number of an autonomous system', value);
}

function titleOf(title: unknown, at: ValuePlace): string {
  const read = optional(text)(title, at);
  return typeof read === 'string' ? read : '';
}
