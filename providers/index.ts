/** The resources of a web-data account, for Pulumi programs: `import { ZoneIpAllocation } from 'pulumi-webdata/pulumi'`. */
export {
  type LiveManagerSettings,
  ManagerSettings,
  type ManagerSettingsArgs,
  type SettingName,
} from './managerSettings.ts';
export { type MovedIp, type ZoneArgs, ZoneIpAllocation, type ZoneIpAllocationArgs } from './zoneIpAllocation.ts';
