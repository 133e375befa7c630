/** The zones that specs claim, and the state of the IPs there. For kinds that are about zones. */
import { capability } from './capability.ts';

interface ClaimingZones<Spec = unknown> {
  /** Pure: the claims of these specs, which are all declared ones of the kind. */
  claims(specs: readonly Spec[]): ZoneClaims;
}

export const claimingZones = capability<ClaimingZones>();

export interface ZoneClaims {
  /** By zone: declared ones first, in the order of the declaration. */
  zones: ReadonlyMap<string, ZoneClaim>;
  /** Returns the function that classifies the IPs of a zone. It returns undefined for IPs that no declaration is about. */
  classifier(zone: string): (ip: string, country: string) => IpState | undefined;
  /** Returns true for an IP that moves only into the zone that declares it. */
  isProtected(ip: string): boolean;
}

/** The part of the declaration that is about one zone. */
export interface ZoneClaim {
  /** `ignored`: declared, and left alone for now. */
  role: 'declared' | 'spare' | 'source' | 'ignored';
  /** The declared number of IPs, or of the IPs of each country. */
  count?: number | ReadonlyMap<string, number> | undefined;
  /** The number of IPs that are declared by address. */
  listed: number;
  /** The least number of IPs that every call leaves. */
  keepAtLeast?: number | undefined;
}

/**
 * The state of a live IP. `declared`: the declaration wants it here, by address or as part of a count. `elsewhere`: it is declared by
 * address for another zone. `unmanaged`: it is in a declared zone, and not declared. `spare` and `source`: it is free in such a zone.
 */
export const ipStates = ['declared', 'elsewhere', 'unmanaged', 'spare', 'source'] as const;

export type IpState = (typeof ipStates)[number];
