/** The rules for what is registered in a store without a server: the keys that seal, and the destinations of secrets. */
import { endpointProblems } from './declared/endpoint.ts';
import type { Registration } from './ledger/deliveries.ts';
import { encryptionKeys, type KeySource } from './secrets/encryptionKeys.ts';
import { secretBindingsIn } from './secrets/secretBinding.ts';
import { createSealer } from './secrets/secrets.ts';
import { referenceProblems } from './worker/secretSources.ts';

export interface RegistrationSettings extends KeySource {
  /** The destinations that secrets may be sent to, as WEBDATA_TRIGGERS_SECRET_FOR has them. */
  secretFor?: string | undefined;
}

/** Leaves the rules of variables and private addresses to the round, which knows its own. @throws ProblemError */
export async function registrationOptions({
  secretFor = '',
  ...keys
}: RegistrationSettings): Promise<Omit<Registration, 'database'>> {
  const bindings = secretBindingsIn(secretFor);
  const sources = { env: {}, allowedEnv: ['*'], command: ['known to the round'], bindings };
  return {
    sealer: createSealer(await encryptionKeys(keys)),
    policy: (spec) => [...referenceProblems(spec, sources), ...endpointProblems(spec, { allowPrivate: true })],
  };
}
