/** The client of the Web Data Access Service, and the kinds of resource over it. */
export { type AccountView, createAccountView } from './resources/accountView.ts';
export type { Call, DeletePortsCall, MigrateCall, UpdateSettingsCall } from './resources/call.ts';
export type { Context, Overrides, Recorder } from './resources/context.ts';
export type { Diff, Kind, Note } from './resources/kind.ts';
export { kinds } from './resources/kinds.ts';
export { managerSettings } from './resources/managerSettings.ts';
export { zoneIpAllocation } from './resources/zoneIpAllocation.ts';
export { type Client, type ClientOptions, createClient } from './service/client.ts';
export type { CollectorResult, CollectorRun, Collectors, DatasetOptions } from './service/collectors.ts';
export type { CollectorTrigger } from './service/collectorTrigger.ts';
export { type CompanyProfile, companyProfile } from './service/companyProfile.ts';
export type { Datasets, DatasetTrigger, Snapshot, SnapshotFormat, SnapshotOptions } from './service/datasets.ts';
export type { Delivery, Notification, OtherDelivery, S3Delivery } from './service/delivery.ts';
export { ServiceError, type ServiceErrorCode } from './service/errors.ts';
export { createManager, type Manager, type ManagerOptions } from './service/manager.ts';
export {
  type NativeProxyOptions,
  nativeProxy,
  type ProxyAddress,
  type ProxyCredentials,
  type ProxyCredentialsRequest,
  proxyCredentials,
  proxyUrl,
} from './service/nativeProxy.ts';
export type { PollOptions, PollProgress } from './service/poll.ts';
export { parseProfile, type ServiceProfile, type ServiceProfileInput, serviceProfile } from './service/profile.ts';
export type { Fetched, ProxiedRequest, RequestFormat } from './service/request.ts';
export type { Asn } from './service/reseller.ts';
export type { Row } from './service/rows.ts';
export type { PageLimit, ReviewsRequest, Search, SearchRequest } from './service/search.ts';
export type { KnownDetailId, ReviewPage, SearchPage } from './service/searchShapes.ts';
export type { Migrated, MigrateRequest, StaticIp } from './service/zones.ts';
export type { ZoneType, ZoneTypes } from './service/zoneTypes.ts';
