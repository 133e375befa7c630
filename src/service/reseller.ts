/** The reseller call (specification, E). */
import { z } from 'zod';
import { pathSegment } from './call.ts';
import type { ServiceProfile } from './profile.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface Asn {
  /** The number of the autonomous system, as the service writes it. */
  asn: string;
  /** Its name. */
  title: string;
  [unknown: string]: unknown;
}

export interface Reseller {
  /** The ASNs available to `partner`, which the specification documents as the name of a zone. @throws ServiceError */
  asns(partner: string, options?: CallOptions): Promise<Asn[]>;
}

export function createReseller(transport: Transport, profile: ServiceProfile): Reseller {
  return {
    async asns(partner, { signal } = {}) {
      const path = profile.resellerPath.replaceAll('{partner}', () => pathSegment(partner));
      return transport.json({ method: 'GET', path, signal }, asns);
    },
  };
}

const asns: z.ZodType<Asn[]> = z.array(z.looseObject({ asn: z.string(), title: z.string() }));
