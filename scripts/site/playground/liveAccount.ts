/** The live state of an account that is only a text: the real readers of listings and settings, over answers that are made from the account. */

import type { Manager } from '../../../src/client/areas/manager/manager.ts';
import { settingsAnswer } from '../../../src/client/areas/manager/settings.ts';
import { createOpenRoutes } from '../../../src/client/areas/zones/openRoutes.ts';
import { createZones } from '../../../src/client/areas/zones/zones.ts';
import type { Client } from '../../../src/client/client.ts';
import { failing } from '../../../src/client/errors.ts';
import { createInferences } from '../../../src/client/inferredProfile.ts';
import type { ServiceProfile } from '../../../src/client/profile.ts';
import { type Reader, startOf } from '../../../src/client/reading/readers.ts';
import type { Transport } from '../../../src/client/transport/transport.ts';
import type { Account } from '../../../src/emulator/account/account.ts';
import { addressesOf } from '../../../src/emulator/account/zoneAddresses.ts';
import type { Connections } from '../../../src/engine/run/session.ts';

export const urls = { service: 'https://api.example.com', manager: 'http://127.0.0.1:22999' };

/** Returns connections that answer reads from the account. Planning sends nothing else. */
export function connectionsTo(account: Account, profile: ServiceProfile): Connections {
  const inferences = createInferences();
  const transport: Pick<Transport, 'read'> = { read: async (request, reader) => answer(request, reader, account) };
  const client = {
    zones: createZones(transport as Transport, profile, {
      inferences,
      account: createOpenRoutes(transport as Transport, profile, inferences),
    }),
    profile,
    inferredProfile: () => inferences.profile(),
    origin: urls.service,
  };
  return {
    client: () => client as Client,
    manager: (url = urls.manager) => managerOf(account, url),
    triggers: notHere,
    readFile: notHere,
    sleep: async () => undefined,
    close: async () => undefined,
  };
}

type Request = Parameters<Transport['read']>[0];

function answer<T>({ method, path, query = {}, fixes = {} }: Request, reader: Reader<T>, account: Account): T {
  const name = String(query.zone ?? '');
  const zone = Object.hasOwn(account.zones, name) ? account.zones[name] : undefined;
  const fail = failing({ method, url: `${urls.service}${path}?zone=${encodeURIComponent(name)}`, read: true }, fixes);
  if (zone === undefined) throw fail('not-found', 'answered 404', { status: 404 });
  const ips = Array.from(addressesOf(zone.ips), ({ ip, countries: [first, ...others] }) => {
    return { ip, geo_db_1: first, ext: Object.fromEntries(others.map((code, at) => [`geo_db_${at + 2}`, code])) };
  });
  return reader({ ips }, startOf());
}

function managerOf({ manager }: Account, url: string): Manager {
  const settings = settingsAnswer(manager.settings, startOf());
  const known = {
    url,
    readSettings: async () => ({ settings, by: 'get' as const }),
    ports: async () => [...manager.ports],
    callerAddress: async () => '127.0.0.1',
    inferredProfile: () => ({}),
  };
  return known as unknown as Manager;
}

function notHere(): never {
  throw new TypeError('planning zones and the manager needs no trigger service and no files');
}
