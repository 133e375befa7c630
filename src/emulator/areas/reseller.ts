/** The reseller call (E). */
import type { Permission } from '../core/keyring.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { Route, RouteAnswer, RouteCall } from '../http/route.ts';
import { asnsForm } from './zoneAnswers.ts';

export function resellerRoutes(readers: readonly Permission[]): Route[] {
  return [
    { name: 'get_asn', server: 'api', method: 'GET', path: '/api/:partner/get_asn', access: readers, handle: listAsns },
  ];
}

/** Answers the ASNs of a zone. The parameter is the name of a zone, or the account's partner name. */
function listAsns({ account, zones, dialect }: World, call: RouteCall): RouteAnswer {
  const { partner = '' } = call.params;
  const zone = zones.get(partner);
  if (!zone && partner !== account.partnerName) throw new Refusal('unknown-zone', partner);
  return { ...asnsForm(zone?.asns ?? account.asns ?? [], dialect), effect: null };
}
