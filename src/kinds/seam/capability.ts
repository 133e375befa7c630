/**
 * Capabilities: needs of a command or a front that go beyond `Kind`. The one that needs it declares the capability; each kind that has it
 * provides it in a file of its own, which `builtIn.ts` lists. A kind without it is left out.
 */
import type { AnyKind, Kind } from './kind.ts';

export interface Capability<Offer> {
  /** Declares that a kind has the capability. The offer is only ever passed specs and states of that kind. */
  provide<Spec, State>(kind: Kind<Spec, State>, offer: Offer): void;
  of(kind: AnyKind): Offer | undefined;
}

export function capability<Offer>(): Capability<Offer> {
  const offers = new Map<string, Offer>();
  return {
    provide(kind, offer) {
      offers.set(kind.name, offer);
    },
    of: (kind) => offers.get(kind.name),
  };
}
