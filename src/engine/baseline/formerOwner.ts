/**
 * Registrations under a former name of the declaration. The name is their owner, so another name would register them a second time, and each
 * trigger would be billed twice.
 */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { ownership } from '../../kinds/ownership.ts';
import type { Config } from '../declaration/config.ts';
import type { Planned } from '../plan/resources.ts';
import type { Session } from '../run/sessionViews.ts';
import { type AccountBaseline, entryOf } from './baseline.ts';
import { isOfSameFiles } from './missing.ts';

/** Adds a problem to the plan of each resource that is still registered under the former name. @throws ServiceError */
export async function withFormerOwners(
  planned: readonly Planned[],
  baseline: AccountBaseline | undefined,
  config: Config,
  session: Session,
): Promise<Planned[]> {
  return Promise.all(
    planned.map(async (each) => {
      const owner = await formerOwnerOf(each, baseline, config, session);
      if (owner === undefined) return each;
      const { declared, plan } = each;
      const problem = config.locate(registeredTwice(owner, config.name ?? '', declared), ['name']);
      return { ...each, plan: { ...plan, problems: [...plan.problems, problem] } };
    }),
  );
}

/** Returns the owner under which the same files have registered the resource, if that is another one and the registration is still there. */
async function formerOwnerOf(
  { declared: { definition, collection, name }, intent, unread }: Planned,
  baseline: AccountBaseline | undefined,
  config: Config,
  session: Session,
): Promise<string | undefined> {
  const owned = ownership.of(definition);
  if (owned === undefined || intent === 'delete' || unread !== undefined || baseline === undefined) return undefined;
  const { owner, files } = entryOf(baseline, { collection, name }) ?? {};
  // Other files with another name may have a resource of the same name.
  if (owner === undefined || owner === config.name || !isOfSameFiles(files, config.files)) return undefined;
  const registered = await owned.registered(owner, session.contextFor({ definition, name: '' }));
  return registered.some((its) => its.name === name) ? owner : undefined;
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
