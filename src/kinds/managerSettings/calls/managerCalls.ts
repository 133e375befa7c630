/** Calls to a proxy manager as data: their schemas, and the types that follow from them. */
import { z } from 'zod';
import { settingSchemas } from '../../../client/areas/manager/settings.ts';
import type { Call, CallOf, ObjectBuilder } from '../../seam/call.ts';

export function updateSettingsSchema(object: ObjectBuilder) {
  const settings = object(settingSchemas());
  return object({
    type: z.literal('updateSettings').describe('Settings of a proxy manager change.'),
    manager: z.string().describe('The origin of the proxy manager.'),
    settings: settings.describe('The fields that are sent.'),
    before: settings.describe('The same fields as they were read.'),
  }).describe('`PUT /api/settings` of a proxy manager.');
}

export type UpdateSettingsCall = CallOf<ReturnType<typeof updateSettingsSchema>>;

export function deletePortsSchema(object: ObjectBuilder) {
  return object({
    type: z.literal('deletePorts').describe('Proxy ports are deleted.'),
    manager: z.string().describe('The origin of the proxy manager.'),
    ports: z.array(z.int()).describe('The ports that are deleted.'),
    observed: z
      .boolean()
      .describe('True if the ports were seen to exist. If they cannot be seen, the call is not drift.'),
  }).describe('`POST /api/proxies/delete` of a proxy manager.');
}

export type DeletePortsCall = CallOf<ReturnType<typeof deletePortsSchema>>;

export function deletePortsCall(call: Omit<DeletePortsCall, 'type'>): DeletePortsCall {
  return { type: 'deletePorts', ...call };
}

export function isDeletePortsCall(call: Call): call is DeletePortsCall {
  return call.type === 'deletePorts';
}
