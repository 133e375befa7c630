/** The servers of the declared resources, and what each holds. Sends reads only. */
import type { Config } from '../../../src/engine/declaration/config.ts';
import type { Session } from '../../../src/engine/run/session.ts';
import { serving } from './kinds.ts';

export interface HeldResource {
  resource: string;
  server: string;
  held: string;
}

/** Leaves out resources whose kind has no server. @throws ProblemError, ServiceError */
export async function readServers({ declared }: Config, session: Session): Promise<HeldResource[]> {
  const read = declared.map(async ({ definition, name, spec }) => {
    const its = serving.of(definition);
    if (its === undefined) return [];
    const context = session.contextFor({ definition, name });
    return [
      {
        resource: `${definition.name}/${name}`,
        server: its.server(spec, context),
        held: await its.held(spec, context),
      },
    ];
  });
  return (await Promise.all(read)).flat();
}
