/** The handlers that the serialized provider loads at run time, as this version of the package has them. */
import { fromKinds, kinds } from '../../src/kinds/knownKinds.ts';
import { type Handlers, handlersFor } from './handlers.ts';

const handlers = fromKinds(() => new Map(kinds.map((kind) => [kind.name, handlersFor(kind)])));

/** @throws TypeError for a kind of a newer version of the package */
export function handlersOf(kind: string): Handlers {
  const found = handlers().get(kind);
  if (found) return found;
  throw new TypeError(
    `this version of pulumi-webdata has no resource ${kind}: install the version that created this stack, or a newer one`,
  );
}
