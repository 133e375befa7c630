/** A trigger service that registers and shows, and fires nothing: for rehearsals on a copy of an account. */
import type { OwnerRecords } from './api/records.ts';
import type { DeliverySpec } from './declared/deliverySpec.ts';
import type { ScheduleSpec } from './declared/scheduleSpec.ts';
import { ledgerOperations } from './ledger/ledgerOperations.ts';
import { mapLiterals, type Sealer, sealedHash } from './secrets/secrets.ts';
import { createTriggerServer, startListening } from './server/server.ts';
import { openStore } from './store/open.ts';

interface RegistrationServerOptions {
  /** The file of the store. */
  store: string;
  token: string;
  owner: string;
  /** The registrations to begin with, as a trigger service shows them: with salted hashes in place of secrets. */
  records: OwnerRecords;
}

interface RegistrationServer {
  url: string;
  close(): Promise<void>;
}

/** @throws ProblemError */
export async function startRegistrationServer(options: RegistrationServerOptions): Promise<RegistrationServer> {
  const { store, token, owner, records } = options;
  const database = await openStore(store);
  const operationsWith = (seal: Sealer['seal']) =>
    ledgerOperations({
      database,
      sealer: { hasKey: true, seal, open: neverOpened, reseal: neverOpened },
      policy: () => [],
    });
  const server = createTriggerServer({
    database,
    operations: operationsWith((spec) => mapLiterals(spec, sealedHash)),
    token,
  });
  const close = async () => {
    await server.close();
    await database.close();
  };
  try {
    const copying = operationsWith((spec) => spec);
    for (const { name, spec } of records.deliveries)
      await copying.putDelivery({ params: { owner, name }, body: spec as DeliverySpec });
    for (const { name, spec } of records.schedules)
      await copying.putSchedule({ params: { owner, name }, body: spec as ScheduleSpec });
    return { url: await startListening(server, '127.0.0.1', 0), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Secrets are kept as hashes only, and nothing fires. */
function neverOpened(): never {
  throw new TypeError('the secrets of a copy cannot be opened');
}
