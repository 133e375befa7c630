/** The writes that resources make, as data: a plan shows them, an apply makes them, the journal keeps them, undo inverts them. */

import type { ManagerSettingsPatch } from '../service/areas/manager/settings.ts';
import type { MigrateBatch } from './zoneIpAllocation/solver/model.ts';

/** `POST /zone/ips/migrate` (specification, D3). May incur charges. */
export interface MigrateCall extends MigrateBatch {
  type: 'migrate';
}

/** `PUT /api/settings` of a proxy manager (specification, F1): the fields that differ, as they are to be. */
export interface UpdateSettingsCall {
  type: 'updateSettings';
  /** Where the manager is. */
  manager: string;
  settings: ManagerSettingsPatch;
  /** The same fields as they were when they were read. */
  before: ManagerSettingsPatch;
}

/** `POST /api/proxies/delete` of a proxy manager (specification, F2). */
export interface DeletePortsCall {
  type: 'deletePorts';
  manager: string;
  ports: readonly number[];
  /** Whether the ports were seen to exist; where they can't be, the call is no drift. */
  observed: boolean;
}

/** What a call of the trigger service is about. */
interface Registration {
  /** Where the trigger service is. */
  triggers: string;
  record: 'delivery' | 'schedule';
  owner: string;
  name: string;
}

/** `PUT /v1/owners/OWNER/…` of the trigger service. What is registered stands in the declaration: it may hold secrets. */
export interface RegisterCall extends Registration {
  type: 'register';
  /** Of what is registered, without its secrets. */
  digest: string;
  /** Of what was registered until then; null where nothing was. */
  before: string | null;
  /** Of a schedule: the delivery that it names. */
  delivery?: string | undefined;
}

/** `DELETE /v1/owners/OWNER/…` of the trigger service. */
export interface UnregisterCall extends Registration {
  type: 'unregister';
}

export type RegistrationCall = RegisterCall | UnregisterCall;

export type Call = MigrateCall | UpdateSettingsCall | DeletePortsCall | RegistrationCall;

export function isRegistration(call: Call): call is RegistrationCall {
  return call.type === 'register' || call.type === 'unregister';
}
