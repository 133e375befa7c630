/** The zones of an account as the service lists them. */
import type { ZoneTypes } from '../client/areas/zones/zoneTypes.ts';
import type { Session } from './run/session.ts';

export interface LiveZones {
  names: string[];
  /** False if the service lists only the zones that were used recently, as the specification says. */
  isWhole: boolean;
  /** The types of the zones, if the service shows them. */
  types: ZoneTypes;
}

/** Lists the zones. A service without a list of all zones is asked for it once. @throws ServiceError */
export async function liveZones(session: Session): Promise<LiveZones> {
  const { account, zones } = session.client();
  const active = await account.activeZones();
  if (active === undefined) return { names: Object.keys(await zones.recentIps('*')), isWhole: false, types: {} };
  const types = active.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type] as const]));
  return { names: active.map(({ name }) => name), isWhole: true, types: Object.fromEntries(types) };
}
