/** The client of the Web Data Access Service, and the kinds of resource over it. */
export { type AccountView, createAccountView } from './resources/accountView.ts';
export type { Call, DeletePortsCall, MigrateCall, UpdateSettingsCall } from './resources/call.ts';
export type { Context, Overrides, Recorder } from './resources/context.ts';
export type { Diff, Kind, Note } from './resources/kind.ts';
export { kinds } from './resources/kinds.ts';
export { managerSettings } from './resources/managerSettings.ts';
export { zoneIpAllocation } from './resources/zoneIpAllocation.ts';
export { type Client, type ClientOptions, createClient } from './service/client.ts';
export { ServiceError, type ServiceErrorCode } from './service/errors.ts';
export { createManager, type Manager, type ManagerOptions } from './service/manager.ts';
export { parseProfile, type ServiceProfile, type ServiceProfileInput, serviceProfile } from './service/profile.ts';
export type { Asn } from './service/reseller.ts';
export type { Migrated, MigrateRequest, StaticIp } from './service/zones.ts';
