/**
 * Registrations under a former name of the declaration. The name is their owner, so another name would register them a second time, and each
 * trigger would be billed twice.
 */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import { ownership } from '../../kinds/seam/ownership.ts';
import type { Config } from '../declaration/config.ts';
import { resourceKey } from '../plan/plan.ts';
import type { Planned } from '../plan/resources.ts';
import type { Session } from '../run/session.ts';
import type { DeclarationBaseline } from './baseline.ts';

/** Adds a problem to the plan of each resource that is still registered under the former name. @throws ServiceError */
export async function withFormerOwners(
  planned: readonly Planned[],
  baseline: DeclarationBaseline | undefined,
  config: Config,
  session: Session,
): Promise<Planned[]> {
  const owners = formerOwners(baseline, config);
  if (owners.size === 0) return [...planned];
  const registered = new Map<string, Promise<ReadonlySet<string>>>();
  const namesOf = (kind: AnyKind, owner: string) => {
    const key = JSON.stringify([kind.name, owner]);
    const names = registered.get(key) ?? registeredNames(kind, owner, session);
    registered.set(key, names);
    return names;
  };
  return Promise.all(
    planned.map(async (each) => {
      const { declared, intent, plan, unread } = each;
      const owner = owners.get(resourceKey(declared));
      if (owner === undefined || intent === 'delete' || unread !== undefined) return each;
      if (!(await namesOf(declared.definition, owner)).has(declared.name)) return each;
      const problem = config.locate(registeredTwice(owner, config.name ?? '', declared), ['name']);
      return { ...each, plan: { ...plan, problems: [...plan.problems, problem] } };
    }),
  );
}

/** Returns the owners under which the declaration applied resources, where that was another one, by resource. */
function formerOwners(baseline: DeclarationBaseline | undefined, { name }: Config): ReadonlyMap<string, string> {
  const entries = (baseline?.resources ?? []).flatMap((entry): [string, string][] => {
    const { owner } = entry;
    return owner !== undefined && owner !== name ? [[resourceKey(entry), owner]] : [];
  });
  return new Map(entries);
}

async function registeredNames(kind: AnyKind, owner: string, session: Session): Promise<ReadonlySet<string>> {
  const registered = await ownership.of(kind)?.registered(owner, session.contextFor({ definition: kind, name: '' }));
  return new Set(registered?.map(({ name }) => name));
}

function registeredTwice(former: string, owner: string, { kind, name }: Planned['declared']): Problem {
  return {
    code: 'owner-changed',
    at: 'value',
    found: `${kind}/${name} is registered for ${former}, the former \`name\` of this declaration, and would be registered for ${owner}, too`,
    allowed: `\`name: ${former}\`, as long as the registration is there`,
    fix: `to rename the owner, put \`name: ${former}\` back, run \`webdata destroy --select ${kind}/${name}\`, and then rename and apply`,
  };
}
