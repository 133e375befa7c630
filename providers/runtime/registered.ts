/**
 * The kinds of the trigger service in a Pulumi state. The engine does not tell a handler the name of a resource, so that name and
 * owner are inputs beside the declaration.
 */
import { z } from 'zod';
import type { Problem } from '../../src/diagnostics/problem.ts';
import { collectorSchedule } from '../../src/kinds/collectorSchedule/kind.ts';
import type { Context } from '../../src/kinds/context.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { changesTo, type RegistryRecord } from '../../src/kinds/registered/registration.ts';
import { webhookDelivery } from '../../src/kinds/webhookDelivery/kind.ts';
import { mapSealed } from '../../src/triggers/secrets/secrets.ts';
import type { Adapter, Declared, Live } from './adapter.ts';

interface Identity {
  name: string;
  owner: string;
}

type State = RegistryRecord<object>;

export const webhookDeliveryAdapter = adapterFor(withIdentity(webhookDelivery));
export const collectorScheduleAdapter = adapterFor(withIdentity(collectorSchedule));

function adapterFor<Spec extends Identity, Its extends State>(kind: Kind<Spec, Its>): Adapter<Spec, Its> {
  return {
    kind,
    title: ({ name }) => name,
    id: ({ owner, name }) => `${owner}/${name}`,
    tidy: (declared) => declared,
    meaning: (spec) => spec,
    async read(declared, context) {
      const state = await kind.observe(kind.spec.parse(declared), context as Context<Spec>);
      return state.registered === undefined ? null : { declared, state };
    },
    asLive,
    outputs: (_spec, state, _made, olds) => ({ drifted: state ? driftedFields(state) : (olds.drifted ?? []) }),
    replaces: (olds, spec) => (['name', 'owner'] as const).filter((field) => olds[field] !== spec[field]),
    withOlds: (context) => context,
    toDelete: (spec, others) => (others.some((other) => isSame(other, spec)) ? undefined : spec),
  };
}

/** Names only: what is registered may hold secrets. */
function driftedFields({ declared, registered }: State): string[] {
  if ('problems' in declared || registered === undefined) return [];
  return [...new Set(changesTo(declared.spec, registered).map(({ path }) => String(path[0])))].sort();
}

function isSame(one: Identity, other: Identity): boolean {
  return one.owner === other.owner && one.name === other.name;
}

/** The kind with name and owner in its spec, out of which its handlers are told them. */
function withIdentity<Spec extends object, Its extends State>(kind: Kind<Spec, Its>): Kind<Spec & Identity, Its> {
  const spec = (kind.spec as unknown as z.ZodObject).safeExtend({
    name: z.string().min(1).describe('Its name in the trigger service, by default that of the resource.'),
    owner: z.string().min(1).describe('Who owns it there, by default `PROJECT/STACK`.'),
  });
  const told = ({ name, owner }: Identity, context: Context<Spec & Identity>): Context<Spec> => ({
    ...context,
    name,
    owner: () => owner,
  });
  /** What was listed before may have been changed by hand since. */
  const anew = (of: Identity, context: Context<Spec & Identity>) => {
    context.registered.forget();
    return told(of, context);
  };
  return {
    ...kind,
    spec: spec as unknown as z.ZodType<Spec & Identity>,
    conflicts: twice,
    concurrencyKey: (its, context) => kind.concurrencyKey(bare(its), told(its, context)),
    observe: (its, context) => kind.observe(bare(its), told(its, context)),
    diff: (its, state) => kind.diff(bare(its), state),
    guard: (its, state, calls) => kind.guard(bare(its), state, calls),
    diffRemoval: (its, state) => kind.diffRemoval(bare(its), state),
    converge: (its, context) => kind.converge(bare(its), anew(its, context)),
    remove: (its, context) => kind.remove(bare(its), anew(its, context)),
  };
}

function bare<Spec>({ name: _, owner: __, ...spec }: Spec & Identity): Spec {
  return spec as Spec;
}

function twice(specs: ReadonlyMap<string, Identity>): Problem[] {
  const named = [...specs];
  return named.flatMap(([key, spec], index) => {
    const before = named.slice(0, index).find(([, other]) => isSame(other, spec));
    if (before === undefined) return [];
    return [
      {
        code: 'registered-twice',
        path: [key, 'name'],
        found: `${spec.name} of ${spec.owner} is declared twice`,
        allowed: 'one resource for each name and owner',
        fix: 'give one of them another `name`',
        also: [{ path: [before[0], 'name'], what: 'is the other one' }],
      },
    ];
  });
}

/** Field by field: what is as declared stays as it was written, what is not is as it is registered. */
function asLive({ declared, state }: Live<State>): Declared {
  const { name, owner, ...fields } = declared;
  const wanted: Declared = 'spec' in state.declared ? { ...state.declared.spec } : fields;
  const registered: Declared = { ...state.registered };
  // A secret that is not the declared one can't be told.
  const shown = mapSealed(registered, () => '(another secret)') as Declared;
  const names = new Set([...Object.keys(wanted), ...Object.keys(registered)]);
  const live = [...names].flatMap((field): [string, unknown][] => {
    const isAsDeclared = changesTo(only(field, wanted), only(field, registered)).length === 0;
    if (isAsDeclared) return field in fields ? [[field, fields[field]]] : [];
    return registered[field] === undefined ? [] : [[field, shown[field]]];
  });
  return { name, owner, ...Object.fromEntries(live) };
}

function only(field: string, of: Declared): object {
  return of[field] === undefined ? {} : { [field]: of[field] };
}
