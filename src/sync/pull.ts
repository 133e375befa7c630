/** Writes what is live as a declaration: a plan of it has no changes. */
import { stringify } from 'yaml';
import { kinds } from '../resources/kinds.ts';
import type { Config } from './config.ts';
import type { Session } from './session.ts';

export interface PullOptions {
  /** Zones to declare; without any, those that the service says were used lately. */
  zones: readonly string[];
  /** The name of the pulled resources. */
  name: string;
}

export interface Pulled {
  yaml: string;
  zones: readonly string[];
}

/** Settings are pulled where a manager is known. @throws ServiceError, ProblemError */
export async function pull(config: Config, session: Session, { zones: named, name }: PullOptions): Promise<Pulled> {
  const zones = named.length > 0 ? named : await zonesUsedLately(session);
  const declarations = await Promise.all(
    kinds.map(async (definition) => {
      const target = { zones, managerUrl: config.manager.url };
      const spec = await definition.declare(target, session.contextFor({ definition, name }));
      return spec === undefined ? [] : [[definition.collection, { [name]: spec }] as const];
    }),
  );
  const file = {
    ...(config.name === undefined ? {} : { name: config.name }),
    service: { url: config.service.url },
    ...(config.manager.url === undefined ? {} : { manager: { url: config.manager.url } }),
    ...Object.fromEntries(declarations.flat()),
  };
  return { yaml: stringify(file, { lineWidth: 120 }), zones };
}

/** `GET /zone/recent_ips?zones=*` (specification, D2) only knows zones that somebody lately attempted to use. */
async function zonesUsedLately(session: Session): Promise<string[]> {
  return Object.keys(await session.client().zones.recentIps('*')).sort();
}
