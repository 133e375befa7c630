/** The zones that all declared resources together name. */

import { kinds } from './knownKinds.ts';
import type { AnyKind } from './seam/kind.ts';
import { claimingZones, type IpState, type ZoneClaims } from './seam/zoneClaims.ts';

type DeclaredSpecs = readonly { definition: AnyKind; spec: unknown }[];

/** Returns the zones that declared resources name, those to fill and those to take IPs from. */
export function declaredZones(declared: DeclaredSpecs): string[] {
  return [...claimsOf(declared).zones.keys()];
}

/** Merges the claims of all kinds. If several are about a zone, the first one counts. */
export function claimsOf(declared: DeclaredSpecs): ZoneClaims {
  const all = kinds.flatMap((kind) => {
    const specs = declared.filter(({ definition }) => definition === kind).map(({ spec }) => spec);
    return claimingZones.of(kind)?.claims(specs) ?? [];
  });
  return {
    zones: new Map(all.toReversed().flatMap(({ zones }) => [...zones])),
    isProtected: (ip) => all.some((claims) => claims.isProtected(ip)),
    classifier(zone) {
      const classifiers = all.map((claims) => claims.classifier(zone));
      return (ip, country) => {
        let state: IpState | undefined;
        for (const classify of classifiers) state ??= classify(ip, country);
        return state;
      };
    },
  };
}
