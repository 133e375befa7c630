/** Plan, apply and drift for programs, the clients of the Web Data Access Service and of the trigger service, and the kinds of resource. */
export { type Location, type Location as Place, type Problem, ProblemError } from './diagnostics/problem.ts';
export { type AccountOptions, type OpenedAccount, openAccount } from './engine/account.ts';
export type { AccountEvent, CallEvent, SendingOptions } from './engine/carryOut.ts';
export type { AccountDrift, AccountPlan, AccountRun, PlanOutcome, RunOutcome } from './engine/outcome.ts';
export { type AccountView, createAccountView } from './kinds/accountView.ts';
export type { Call } from './kinds/call.ts';
export { collectorSchedule } from './kinds/collectorSchedule/kind.ts';
export type { Context, Overrides, Recorder } from './kinds/context.ts';
export type { Diff, Kind } from './kinds/kind.ts';
export type { DeletePortsCall, UpdateSettingsCall } from './kinds/managerSettings/calls/managerCalls.ts';
export { managerSettings } from './kinds/managerSettings/kind.ts';
export type { Note } from './kinds/notes.ts';
export type { RegisterCall, UnregisterCall } from './kinds/registered/calls/registrationCall.ts';
export { createRegisteredView, type RegisteredView } from './kinds/registered/view.ts';
export { addKind, kinds } from './kinds/registry.ts';
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
} from './program/program.ts';
export type { FormatName } from './report/formats.ts';
export type { ApplyTotals } from './report/model/report.ts';
export type { CollectorResult, CollectorRun, Collectors, DatasetOptions } from './service/areas/jobs/collectors.ts';
export type { CollectorTrigger } from './service/areas/jobs/collectorTrigger.ts';
export { type CompanyProfile, companyProfile } from './service/areas/jobs/companyProfile.ts';
export type {
  Datasets,
  DatasetTrigger,
  Snapshot,
  SnapshotFormat,
  SnapshotOptions,
} from './service/areas/jobs/datasets.ts';
export type { Delivery, Notification, OtherDelivery, S3Delivery } from './service/areas/jobs/delivery.ts';
export { deliverySourceIps } from './service/areas/jobs/delivery.ts';
export type { PollOptions, PollProgress } from './service/areas/jobs/results/pollJob.ts';
export type { ParseRow, Row } from './service/areas/jobs/results/rows.ts';
export { createManager, type Manager, type ManagerOptions } from './service/areas/manager/manager.ts';
export {
  type NativeProxyOptions,
  nativeProxy,
  type ProxyAddress,
  type ProxyCredentials,
  type ProxyCredentialsRequest,
  proxyCredentials,
  proxyUrl,
} from './service/areas/proxy/nativeProxy.ts';
export type { Fetched, FetchedStream, ProxiedRequest, RequestFormat } from './service/areas/proxy/request.ts';
export type { PageLimit, ReviewsRequest, Search, SearchRequest } from './service/areas/search/search.ts';
export type { KnownDetailId, ReviewPage, SearchPage } from './service/areas/search/searchShapes.ts';
export type { StaticIp, ZoneListing } from './service/areas/zones/listing.ts';
export type { Asn } from './service/areas/zones/reseller.ts';
export type { Migrated } from './service/areas/zones/zoneAnswers.ts';
export type { MigrateRequest } from './service/areas/zones/zones.ts';
export type { ZoneType, ZoneTypes } from './service/areas/zones/zoneTypes.ts';
export { type Client, type ClientOptions, createClient } from './service/client.ts';
export { ServiceError, type ServiceErrorCode } from './service/errors.ts';
export type { InferredProfile } from './service/inferredProfile.ts';
export { parseProfile, type ServiceProfile, type ServiceProfileInput, serviceProfile } from './service/profile.ts';
export type { Misfit } from './service/reading/misfits.ts';
export type { RequestEvent } from './service/transport/requestLog.ts';
export type { PlanSummary, ResourceId, ResourcePlan } from './sync/plan/plan.ts';
export type { PlanFile } from './sync/plan/planFile.ts';
export type { JournaledCall } from './sync/run/journal.ts';
export type { ResourceResult } from './sync/run/outcome.ts';
export { createTriggersClient, type TriggersClient, type TriggersOptions } from './triggers/client.ts';
export type { DeliverySpec } from './triggers/spec/deliverySpec.ts';
export type { ScheduleSpec } from './triggers/spec/scheduleSpec.ts';
