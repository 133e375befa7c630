/** The operations of a ledger as a client calls them, without a server. */
import { callsBy } from '../../src/triggers/api/calls.ts';
import type { Registration } from '../../src/triggers/ledger/deliveries.ts';
import { ledgerOperations } from '../../src/triggers/ledger/ledgerOperations.ts';
import { ledgerNow } from '../../src/triggers/ledger/now.ts';
import { sendTo } from '../../src/triggers/storeClient.ts';

export type ScheduleRegistry = ReturnType<typeof createScheduleRegistry>;

export function createScheduleRegistry(registration: Registration) {
  const operations = ledgerOperations(registration);
  return { ...callsBy(sendTo(operations)), operations, now: () => ledgerNow(registration.database) };
}
