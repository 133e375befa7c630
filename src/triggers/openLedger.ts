/** Opens the ledger for commands that work on a store directly, with the rules for what they register: keys that seal, destinations of secrets. */
import type { OperationHandlers } from './api/operations.ts';
import { endpointProblems } from './declared/endpoint.ts';
import type { Policy } from './ledger/deliveries.ts';
import { ledgerOperations } from './ledger/ledgerOperations.ts';
import { encryptionKeys, type KeySource } from './secrets/encryptionKeys.ts';
import { secretBindingsIn } from './secrets/secretBinding.ts';
import { createSealer } from './secrets/secrets.ts';
import type { Database } from './store/database.ts';
import { openStore, openStoreToRead } from './store/open.ts';
import { referenceProblems } from './worker/secretSources.ts';

export interface LedgerAddress extends KeySource {
  /** The destinations that secrets may be sent to, as WEBDATA_TRIGGERS_SECRET_FOR has them. */
  secretFor?: string | undefined;
  /** `postgres://…`, or the file of a SQLite database. */
  store: string;
  /** The address in reports and records: without a password, and as it is declared. */
  shown: string;
}

export interface OpenLedger {
  database: Database;
  handlers: OperationHandlers;
}

/** Leaves the rules of variables and private addresses to the round, which knows its own. @throws ProblemError */
export async function openLedger(
  { store, secretFor = '', ...keys }: LedgerAddress,
  readOnly: boolean,
): Promise<OpenLedger> {
  const sources = {
    env: {},
    command: ['known to the round'],
    bindings: secretBindingsIn(secretFor),
  };
  const policy: Policy = (spec) => [
    ...referenceProblems(spec, sources),
    ...endpointProblems(spec, { allowPrivate: true }),
  ];
  const sealer = createSealer(await encryptionKeys(keys));
  const database = await (readOnly ? openStoreToRead(store) : openStore(store));
  return { database, handlers: ledgerOperations({ database, sealer, policy }) };
}
