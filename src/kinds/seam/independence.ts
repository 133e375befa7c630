/** Specs that cannot conflict: a front that checks one resource after the other need not compare each with all before it. */
import { capability } from './capability.ts';

interface Independence<Spec = unknown> {
  /** Pure and quick: true only if `conflicts` finds nothing between the two. */
  areIndependent(one: Spec, other: Spec): boolean;
}

export const independence = capability<Independence>();
