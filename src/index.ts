/** Plan, apply and drift for programs, the clients of the Web Data Access Service and of the trigger service, and the kinds of resource. */
export { type Location, type Location as Place, type Problem, ProblemError } from './base/diagnostics/problem.ts';
export type { CollectorResult, CollectorRun, Collectors, DatasetOptions } from './client/areas/jobs/collectors.ts';
export type { CollectorTrigger } from './client/areas/jobs/collectorTrigger.ts';
export { type CompanyProfile, companyProfile } from './client/areas/jobs/companyProfile.ts';
export type {
  Datasets,
  DatasetTrigger,
  Snapshot,
  SnapshotFormat,
  SnapshotOptions,
} from './client/areas/jobs/datasets.ts';
export type { Delivery, Notification, OtherDelivery, S3Delivery } from './client/areas/jobs/delivery.ts';
export { deliverySourceIps } from './client/areas/jobs/delivery.ts';
export type { PollOptions, PollProgress } from './client/areas/jobs/results/pollJob.ts';
export type { ParseRow, Row } from './client/areas/jobs/results/rows.ts';
export { createManager, type Manager, type ManagerOptions } from './client/areas/manager/manager.ts';
export {
  type NativeProxyOptions,
  nativeProxy,
  type ProxyAddress,
  type ProxyCredentials,
  type ProxyCredentialsRequest,
  proxyCredentials,
  proxyUrl,
} from './client/areas/proxy/nativeProxy.ts';
export type { Fetched, FetchedStream, ProxiedRequest, RequestFormat } from './client/areas/proxy/request.ts';
export type { PageLimit, ReviewsRequest, Search, SearchRequest } from './client/areas/search/search.ts';
export type { KnownDetailId, ReviewPage, SearchPage } from './client/areas/search/searchShapes.ts';
export type { StaticIp, ZoneListing } from './client/areas/zones/listing.ts';
export type { Asn } from './client/areas/zones/reseller.ts';
export type { Migrated } from './client/areas/zones/zoneAnswers.ts';
export type { MigrateRequest } from './client/areas/zones/zones.ts';
export type { ZoneType, ZoneTypes } from './client/areas/zones/zoneTypes.ts';
export { type Client, type ClientOptions, createClient } from './client/client.ts';
export { ServiceError, type ServiceErrorCode } from './client/errors.ts';
export type { InferredProfile } from './client/inferredProfile.ts';
export { parseProfile, type ServiceProfile, type ServiceProfileInput, serviceProfile } from './client/profile.ts';
export type { Misfit } from './client/reading/misfits.ts';
export type { RequestEvent } from './client/transport/requestLog.ts';
export { type AccountOptions, type OpenedAccount, openAccount } from './engine/account.ts';
export type { JournaledCall } from './engine/doors/history.ts';
export type {
  AccountDrift,
  AccountPlan,
  AccountRun,
  PlanFile,
  PlanOutcome,
  ResourceId,
  ResourcePlan,
  ResourceResult,
  RunOutcome,
} from './engine/doors/plan.ts';
export type { AccountEvent, CallEvent, SendingOptions } from './engine/doors/run.ts';
export { collectorSchedule } from './kinds/collectorSchedule/kind.ts';
export { addKind, kinds } from './kinds/knownKinds.ts';
export type { DeletePortsCall, UpdateSettingsCall } from './kinds/managerSettings/calls/managerCalls.ts';
export { managerSettings } from './kinds/managerSettings/kind.ts';
export type { RegisterCall, UnregisterCall } from './kinds/registered/calls/registrationCall.ts';
export { createRegisteredView, type RegisteredView } from './kinds/registered/view.ts';
export { type AccountView, createAccountView } from './kinds/seam/accountView.ts';
export type { Call } from './kinds/seam/call.ts';
export type { Context, Overrides, Recorder } from './kinds/seam/context.ts';
export type { Diff, Kind } from './kinds/seam/kind.ts';
export type { Note } from './kinds/seam/notes.ts';
export { webhookDelivery } from './kinds/webhookDelivery/kind.ts';
export type { MigrateCall } from './kinds/zoneIpAllocation/calls/migrateCall.ts';
export { zoneIpAllocation } from './kinds/zoneIpAllocation/kind.ts';
export {
  type AppliedResult,
  type ApplyRequest,
  apply,
  type DriftOptions,
  type DriftResult,
  drift,
  formatReport,
  type PlanResult,
  type ProgramEvent,
  type ProgramOptions,
  plan,
} from './program.ts';
export type { FormatName } from './report/formats.ts';
export type { ApplyTotals, PlanSummary } from './report/model/report.ts';
export type { TriggersClient } from './triggers/api/triggersClient.ts';
export { createTriggersClient, type TriggersOptions } from './triggers/client.ts';
export type { DeliverySpec } from './triggers/declared/deliverySpec.ts';
export type { ScheduleSpec } from './triggers/declared/scheduleSpec.ts';
