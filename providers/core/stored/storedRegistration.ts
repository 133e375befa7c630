/** Deliveries and schedules as stored resources. */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { serverKey } from '../../../src/base/values/serverUrl.ts';
import { changesTo, type RegistryRecord } from '../../../src/kinds/registered/registryRecord.ts';
import type { Properties } from '../../../src/kinds/seam/kind.ts';
import { mapSealed } from '../../../src/triggers/secrets/secrets.ts';
import type { DeclaredStored } from './storedResource.ts';

type State = RegistryRecord<object>;

/** Resources of the trigger service are known by owner and name, which the context has. */
export const storedRegistration: DeclaredStored<object, State> = {
  title: (_spec, { name }) => name,
  id: (_spec, context) => `${context.owner()}/${context.name}`,
  importTarget(id) {
    const end = id.lastIndexOf('/');
    const [owner, name] = [id.slice(0, Math.max(end, 0)), id.slice(end + 1)];
    if (owner === '' || name === '') throw new ProblemError([noOwnerAndName(id)]);
    return { id, target: { name, zones: [], owner }, inputs: { owner, name } };
  },
  outputSchema: z.object({
    drifted: z.array(z.string()).describe('The fields that differed from the declaration when they were last read.'),
  }),
  isGone: ({ registered }) => registered === undefined,
  liveInputs,
  outputs: ({ state, olds }) => ({
    drifted: state ? driftedFields(state) : (olds.drifted ?? []),
    // No documented output: it is for `remarks`.
    triggers: state?.triggers ?? olds.triggers,
  }),
  remarks({ triggers }, context) {
    if (typeof triggers !== 'string') return [];
    const { url } = context.triggers();
    if (serverKey(triggers) === serverKey(url)) return [];
    return [
      `${context.name} is registered at ${triggers} too, which keeps firing its schedules: to stop it there, destroy it before the URL changes to ${url}`,
    ];
  },
};

function noOwnerAndName(id: string): Problem {
  return {
    code: 'invalid-id',
    found: `${JSON.stringify(id)} does not name an owner and a registration`,
    allowed: 'OWNER/NAME, for example project/stack/results',
    fix: 'put the owner first: `webdata triggers schedules` shows it',
  };
}

/** Returns names only, because registered values may hold secrets. */
function driftedFields({ declared, registered }: State): string[] {
  if ('problems' in declared || registered === undefined) return [];
  return [...new Set(changesTo(declared.spec, registered).map(({ path }) => String(path[0])))].sort();
}

/** Keeps fields that match as they were written, and takes the others from the registration. */
function liveInputs({ name, owner, ...fields }: Properties, _spec: object, state: State): Properties {
  const wanted: Properties = 'spec' in state.declared ? { ...state.declared.spec } : fields;
  const registered: Properties = { ...state.registered };
  // The trigger service never returns a secret, so another one cannot be shown.
  const shown = mapSealed(registered, () => '(another secret)') as Properties;
  const names = new Set([...Object.keys(wanted), ...Object.keys(registered)]);
  const live = [...names].flatMap((field): [string, unknown][] => {
    const isAsDeclared = changesTo(only(field, wanted), only(field, registered)).length === 0;
    if (isAsDeclared) return field in fields ? [[field, fields[field]]] : [];
    return registered[field] === undefined ? [] : [[field, shown[field]]];
  });
  return { name, owner, ...Object.fromEntries(live) };
}

function only(field: string, properties: Properties): object {
  return properties[field] === undefined ? {} : { [field]: properties[field] };
}
