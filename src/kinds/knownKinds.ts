/** The registered kinds: those that the program comes with, and those that were added. */
import { builtInKinds } from './builtIn.ts';
import type { AnyKind, Kind } from './seam/kind.ts';

const registered: Kind<unknown, unknown>[] = [...builtInKinds];

/** In the order in which they are handled. */
export const kinds: readonly Kind<unknown, unknown>[] = registered;

/** Counts changes of the registry. */
let version = 0;

/** Registers a kind after the others. Returns a function that removes it. @throws TypeError if another kind has its name or its call type */
export function addKind<Spec, State>(kind: Kind<Spec, State>): () => void {
  const added: Kind<unknown, unknown> = kind;
  assertDistinct(added);
  registered.push(added);
  version += 1;
  return () => {
    registered.splice(registered.indexOf(added), 1);
    version += 1;
  };
}

/** The journal and plan files name kinds and calls by these. Kinds may share a type of call, if it is the same one. */
function assertDistinct({ name, collection, calls }: AnyKind): void {
  for (const other of registered) {
    if (other.name === name || other.collection === collection) throw new TypeError(`${name} is already registered`);
    const twice = calls.find((one) => other.calls.some((known) => known.type === one.type && known !== one));
    if (twice !== undefined) throw new TypeError(`${other.name} already defines calls of type ${twice.type}`);
  }
}

/** Derives a value from the kinds, such as a schema: when it is first needed, and again after the kinds have changed. */
export function fromKinds<Value>(derive: () => Value): () => Value {
  let known: { version: number; value: Value } | undefined;
  return () => {
    if (known?.version !== version) known = { version, value: derive() };
    return known.value;
  };
}
