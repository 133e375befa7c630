/** The live objects and servers that a spec names. */
import { capability } from './capability.ts';

interface References<Spec = unknown> {
  /** The fields of a spec, before it is parsed, whose values decide where a request is sent. */
  destinations?(written: unknown): PropertyKey[][];
  zones?(spec: Spec): readonly string[];
  /** The URLs of proxy managers. */
  managers?(spec: Spec): readonly string[];
}

export const references = capability<References>();
