/** A resource of a stack: what a program declared, parsed by its kind. */

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { parse } from '../../src/base/diagnostics/zodProblems.ts';
import { withSortedKeys } from '../../src/base/values/plain.ts';
import type { Session } from '../../src/engine/doors/front.ts';
import type { Context, Recorder } from '../../src/kinds/seam/context.ts';
import { independence } from '../../src/kinds/seam/independence.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { ownership } from '../../src/kinds/seam/ownership.ts';
import type { PropertyPath } from './stored/storedResource.ts';
import { storedOf } from './stored/table.ts';

export interface Resource {
  kind: AnyKind;
  inputs: Properties;
  spec: unknown;
  /** Only for kinds of the trigger service. */
  identity?: RegistrationIdentity;
  /** Equal for equal declarations. The engine gives a dynamic provider no name of a resource, so a resource is known by what it declares. */
  key: string;
  /** The name that the engine gives it, in a check of the native provider. */
  urn?: string | undefined;
  /** The properties whose live values stay: those of Pulumi's option `ignoreChanges`. */
  ignored: readonly PropertyPath[];
}

/** The key of a registration in the trigger service. */
export interface RegistrationIdentity {
  name: string;
  owner: string;
}

const identityFields = {
  name: z.string().min(1).describe('Its name in the trigger service; in Pulumi, by default that of the resource.'),
  owner: z.string().min(1).describe('Its owner in the trigger service, by default `PROJECT/STACK`.'),
};

/** Returns the schema of the inputs: the spec, and the identity for kinds that have one. */
export function inputSchema(kind: AnyKind): z.ZodObject {
  const spec = kind.spec as unknown as z.ZodObject;
  return ownership.of(kind) === undefined ? spec : spec.safeExtend(identityFields);
}

/** Picks the inputs out of the properties of a state. */
export function inputsIn(kind: AnyKind, properties: Properties): Properties {
  const names = Object.keys(inputSchema(kind).shape);
  return Object.fromEntries(names.filter((name) => properties[name] != null).map((name) => [name, properties[name]]));
}

/** @throws ProblemError for inputs that `check` would refuse: in a state that was written by hand */
export function parseResource(kind: AnyKind, inputs: Properties, ignored: readonly PropertyPath[] = []): Resource {
  const result = parse(inputSchema(kind), inputs);
  if (!result.ok) throw new ProblemError(result.problems);
  const parsed = result.value;
  // The engine sends the keys of maps in any order.
  const key = JSON.stringify(withSortedKeys(parsed));
  if (ownership.of(kind) === undefined) return { kind, inputs, spec: parsed, key, ignored };
  const { name, owner, ...spec } = parsed as Record<string, unknown> & RegistrationIdentity;
  return { kind, inputs, spec, identity: { name, owner }, key, ignored };
}

export interface ContextOptions {
  /** The properties that the state has. */
  olds?: Properties;
  recorder?: Recorder | undefined;
  signal?: AbortSignal | undefined;
  /** While a resource is deleted, a resource with an equal declaration is another one. */
  isDeleted?: boolean;
}

/** Returns the context that the kind's functions get for this resource. Without a recorder, they can only read. */
export function contextFor(session: Session, resource: Resource, options: ContextOptions = {}): Context {
  const { kind, identity, key } = resource;
  const { olds = {}, recorder, signal, isDeleted = false } = options;
  const name = isDeleted ? '' : key;
  const context = session.contextFor({ definition: kind, name }, recorder && { recorder });
  const identified = identity ? { ...context, name: identity.name, owner: () => identity.owner } : context;
  const signalled = { ...identified, signal };
  return storedOf(kind).withOlds(signalled, olds);
}

export function comparable({ kind, spec, identity }: Resource): object {
  return { ...storedOf(kind).comparable(spec), ...identity };
}

/** Returns the key of a resource among those of all kinds. */
export function kindAndKey({ kind, key }: Resource): string {
  return `${kind.name} ${key}`;
}

export function isSameIdentity(one: Resource, other: Resource): boolean {
  return one.identity !== undefined && isDeepStrictEqual(one.identity, other.identity);
}

function isAnother(one: Resource, other: Resource): boolean {
  if (one.urn === undefined || other.urn === undefined) return one.key !== other.key;
  return one.urn !== other.urn;
}

/** Returns the conflicts between a resource and those declared before it, with paths within the resource. */
export function conflictsOf(
  resource: Resource,
  before: readonly Resource[],
  managerUrl: string | undefined,
): Problem[] {
  const { kind, key, identity } = resource;
  if (identity !== undefined) {
    const isTwice = before.some((other) => isAnother(other, resource) && isSameIdentity(other, resource));
    return isTwice ? [registeredTwice(resource)] : [];
  }
  const areIndependent = independence.of(kind)?.areIndependent ?? (() => false);
  const others = before.filter(({ spec }) => !areIndependent(spec, resource.spec));
  const specs = new Map([...others, resource].map(({ key, spec }) => [key, spec]));
  return kind
    .conflicts(specs, { managerUrl })
    .filter(({ path, also = [] }) => path?.[0] === key || also.some((other) => other.path[0] === key))
    .map(({ also: _, path = [], ...problem }) => ({ ...problem, path: path[0] === key ? path.slice(1) : [] }));
}

export function registeredTwice({ identity = { name: '', owner: '' } }: Pick<Resource, 'identity'>): Problem {
  const { name, owner } = identity;
  return {
    code: 'registered-twice',
    path: ['name'],
    found: `${name} of ${owner} is declared twice`,
    allowed: 'one resource for each name and owner',
    fix: 'give one of them another `name`',
  };
}
