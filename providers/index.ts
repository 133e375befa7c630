/** The resources of a web-data account, for Pulumi programs: `import { ZoneIpAllocation } from 'pulumi-webdata/pulumi'`. */
export { CollectorSchedule, type CollectorScheduleArgs, type InputFieldType } from './collectorSchedule.ts';
export {
  type LiveManagerSettings,
  type ManagerSettingName,
  ManagerSettings,
  type ManagerSettingsArgs,
} from './managerSettings.ts';
export {
  type DestinationArgs,
  type OtherDestinationArgs,
  type S3DestinationArgs,
  type SecretInput,
  WebhookDelivery,
  type WebhookDeliveryArgs,
} from './webhookDelivery.ts';
export { type MovedIp, type ZoneArgs, ZoneIpAllocation, type ZoneIpAllocationArgs } from './zoneIpAllocation.ts';
