/** The clients of the Web Data Access Service and of the trigger service, and the kinds of resource over them. */
export { type Place, type Problem, ProblemError } from './input/problem.ts';
export { type AccountView, createAccountView } from './resources/accountView.ts';
export type {
  Call,
  DeletePortsCall,
  MigrateCall,
  RegisterCall,
  UnregisterCall,
  UpdateSettingsCall,
} from './resources/call.ts';
export { collectorSchedule } from './resources/collectorSchedule.ts';
export type { Context, Overrides, Recorder } from './resources/context.ts';
export type { Diff, Kind, Note } from './resources/kind.ts';
export { kinds } from './resources/kinds.ts';
export { managerSettings } from './resources/managerSettings.ts';
export { createRegisteredView, type RegisteredView } from './resources/registeredView.ts';
export { webhookDelivery } from './resources/webhookDelivery.ts';
export { zoneIpAllocation } from './resources/zoneIpAllocation.ts';
export { type Client, type ClientOptions, createClient } from './service/client.ts';
export type { CollectorResult, CollectorRun, Collectors, DatasetOptions } from './service/collectors.ts';
export type { CollectorTrigger } from './service/collectorTrigger.ts';
export { type CompanyProfile, companyProfile } from './service/companyProfile.ts';
export type { Datasets, DatasetTrigger, Snapshot, SnapshotFormat, SnapshotOptions } from './service/datasets.ts';
export type { Delivery, Notification, OtherDelivery, S3Delivery } from './service/delivery.ts';
export { ServiceError, type ServiceErrorCode } from './service/errors.ts';
export type { InferredProfile } from './service/inferredProfile.ts';
export type { StaticIp, ZoneListing } from './service/listing.ts';
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
export type { Misfit } from './service/reading/misfits.ts';
export type { Fetched, FetchedStream, ProxiedRequest, RequestFormat } from './service/request.ts';
export type { Asn } from './service/reseller.ts';
export type { ParseRow, Row } from './service/rows.ts';
export type { PageLimit, ReviewsRequest, Search, SearchRequest } from './service/search.ts';
export type { KnownDetailId, ReviewPage, SearchPage } from './service/searchShapes.ts';
export { deliverySourceIps } from './service/sourceIps.ts';
export type { Migrated } from './service/zoneAnswers.ts';
export type { MigrateRequest } from './service/zones.ts';
export type { ZoneType, ZoneTypes } from './service/zoneTypes.ts';
export { createTriggersClient, type TriggersClient, type TriggersOptions } from './triggers/client.ts';
export type { DeliverySpec } from './triggers/deliverySpec.ts';
export type { ScheduleSpec } from './triggers/scheduleSpec.ts';
