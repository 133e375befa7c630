/** What the kinds provide besides `Kind`, for tests. */
import '../../src/kinds/builtIn.ts';
import type { Capability } from '../../src/kinds/seam/capability.ts';
import type { AnyKind } from '../../src/kinds/seam/kind.ts';

/** @throws TypeError if the kind does not provide it */
export function offered<Offer>(capability: Capability<Offer>, kind: AnyKind): Offer {
  const offer = capability.of(kind);
  if (offer === undefined) throw new TypeError(`${kind.name} does not provide this capability`);
  return offer;
}

let madeUp = 0;

/** Returns a kind of its own name that provides one capability. */
export function kindProviding<Offer>(capability: Capability<Offer>, offer: object, parts: object = {}): AnyKind {
  madeUp += 1;
  const kind = { ...parts, name: `MadeUp${madeUp}` } as AnyKind;
  capability.provide(kind, offer as Offer);
  return kind;
}
