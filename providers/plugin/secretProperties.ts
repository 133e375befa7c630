/** Marks the properties of a resource that the engine must keep as secrets. */

import { memoized } from '../../src/base/values/memoized.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { hasCredentials } from '../core/credentials.ts';
import { openCallsProperty } from '../core/openCalls.ts';
import { inputSchema } from '../core/resource.ts';
import { storedOf } from '../core/stored/table.ts';
import { secretTest } from './schema.ts';
import { secretRepetitions, type WireProperties } from './values.ts';

/**
 * Marks the secrets of the inputs, every property that may hold a secret by its schema, URLs with credentials, and outputs that repeat a secret
 * input.
 */
export function markSecrets(kind: AnyKind, values: Properties, { secrets }: WireProperties): WireProperties {
  const mayBeSecret = secretTestOf(kind);
  const outputs = [...Object.keys(storedOf(kind).outputSchema.shape), openCallsProperty];
  const names = [
    ...Object.keys(values).filter((name) => mayBeSecret(name, values[name])),
    ...Object.keys(values).filter((name) => hasCredentials(values[name])),
    ...secretRepetitions(values, secrets, outputs),
  ];
  return { values, secrets: [...secrets, ...names.map((name) => [name])] };
}

/** Returns the properties with the marks that only the program can have set: other secrets are secrets by their schema, or outputs. */
export function markedInputs(kind: AnyKind, { values, secrets }: WireProperties): WireProperties {
  const mayBeSecret = secretTestOf(kind);
  const outputs = { ...storedOf(kind).outputSchema.shape, [openCallsProperty]: true };
  return {
    values,
    secrets: secrets.filter(([name = '']) => !Object.hasOwn(outputs, name) && !mayBeSecret(name, values[name])),
  };
}

const secretTestOf = memoized((kind: AnyKind) => secretTest(inputSchema(kind)));
