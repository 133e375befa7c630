/** The spec of `ManagerSettings`: its schema, and the live state that it is compared with. */
import { z } from 'zod';
import { once } from '../../base/values/once.ts';
import {
  type ManagerSettingsWire,
  settableSchema,
  settingNames,
  settingSchemas,
} from '../../client/areas/manager/settings.ts';
import type { InferredProfile } from '../../client/inferredProfile.ts';
import { allowedEntry } from '../seam/addresses.ts';
import { serverUrl } from '../seam/serverUrl.ts';

export const managerSettingsSpec = once(() => {
  const settings = settingSchemas((setting) =>
    setting.type === 'addresses' ? z.array(allowedEntry) : settableSchema(setting),
  );
  const { wwwWhitelistIps, whitelistIps } = settings;
  return z
    .strictObject({
      url: serverUrl
        .optional()
        .describe('The manager, by default `manager.url`, or `managerUrl` of a provider. One entry for each manager.')
        .meta({ examples: ['http://127.0.0.1:22999'] }),
      ...settings,
      wwwWhitelistIps: wwwWhitelistIps.describe(
        `${wwwWhitelistIps.description} Removing the address that you call from requires \`--allow-self-lockout\`, or \`allowSelfLockout\` of a provider.`,
      ),
      whitelistIps: whitelistIps.describe(
        `${whitelistIps.description} Entries that the manager has fixed count as present.`,
      ),
      absentPorts: z
        .array(z.int().min(1).max(65_535))
        .optional()
        .describe('Proxy ports that must not exist.')
        .meta({ examples: [[24010]] }),
      ignoreChanges: z
        .array(z.enum([...settingNames, 'absentPorts']))
        .default([])
        .describe('Fields to leave alone.')
        .meta({ examples: [['logs']] }),
    })
    .describe('Settings of a local proxy manager. A field that is left out is not touched; `[]` empties a list.');
});

export type ManagerSettingsSpec = z.output<ReturnType<typeof managerSettingsSpec>>;

export interface ManagerSettingsState {
  manager: string;
  settings: ManagerSettingsWire;
  readBy: 'get' | 'put';
  /** Null where the manager does not show its ports. */
  ports: readonly number[] | null;
  /** Ports that were deleted already, where they can't be observed. */
  deletedPorts: ReadonlySet<number>;
  callerAddress: string;
  allowSelfLockout: boolean;
  /** True if the service answers that the declared zone does not exist. */
  isZoneMissing: boolean;
  /** The part of the profile that was read from answers of this manager. */
  inferred: InferredProfile;
}
