/** The client of the trigger service's API. */
import { z } from 'zod';
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { parsedJson } from '../base/values/plain.ts';
import type { Fixes, ServiceError } from '../client/errors.ts';
import { redactor } from '../client/redact.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createTransport,
  type Transport,
} from '../client/transport/transport.ts';
import { headerSecret, pathSegment, type WireRequest } from '../client/transport/wireRequest.ts';
import type { DeliverySpec } from './declared/deliverySpec.ts';
import type { ScheduleSpec } from './declared/scheduleSpec.ts';
import type {
  OwnerRecords,
  RegisteredDelivery,
  RegisteredSchedule,
  Resolution,
  RunEvent,
  RunFilter,
  ScheduledRun,
  ScheduleFilter,
  Totals,
} from './model.ts';
import { literalSecretsIn } from './secrets/secrets.ts';
import * as answers from './server/schemas.ts';

export interface TriggersOptions extends ConnectionOptions {
  /** Sent as a bearer token with every call; never part of an error or of the request log. */
  token: string;
}

/** Throws ProblemError with the service's own problems for refused requests, otherwise ServiceError. */
export interface TriggersClient {
  /** The base URL of the trigger service. */
  readonly url: string;
  owners(options?: CallOptions): Promise<string[]>;
  records(owner: string, options?: CallOptions): Promise<OwnerRecords>;
  putDelivery(owner: string, name: string, spec: DeliverySpec, options?: CallOptions): Promise<RegisteredDelivery>;
  putSchedule(owner: string, name: string, spec: ScheduleSpec, options?: CallOptions): Promise<RegisteredSchedule>;
  /** Returns false if it did not exist. */
  deleteDelivery(owner: string, name: string, options?: CallOptions): Promise<boolean>;
  deleteSchedule(owner: string, name: string, options?: CallOptions): Promise<boolean>;
  schedules(filter?: ScheduleFilter, options?: CallOptions): Promise<RegisteredSchedule[]>;
  setPaused(owner: string, name: string, paused: boolean, options?: CallOptions): Promise<RegisteredSchedule>;
  /** Makes a run now, which is billed. */
  runNow(owner: string, name: string, options?: CallOptions): Promise<ScheduledRun>;
  runs(filter?: RunFilter, options?: CallOptions): Promise<ScheduledRun[]>;
  run(id: string, options?: CallOptions): Promise<{ run: ScheduledRun; events: RunEvent[] }>;
  resolve(id: string, resolution: Resolution, options?: CallOptions): Promise<ScheduledRun>;
  totals(options?: CallOptions): Promise<Totals & { now: number }>;
  /** Returns the version of the trigger service. */
  version(options?: CallOptions): Promise<string>;
  close(): Promise<void>;
}

/** Sends nothing. @throws ServiceError for an invalid URL or token */
export function createTriggersClient({ token, ...connection }: TriggersOptions): TriggersClient {
  const shownUrl = redactor([token])(connection.url);
  const checked = headerSecret(token, 'the token', shownUrl, fixes.unauthorized);
  const headers = { authorization: `Bearer ${checked}` };
  const transport = createTransport({ ...connection, headers, secrets: [checked], fixes });
  return { url: transport.url, ...recordCalls(transport), ...runCalls(transport), close: transport.close };
}

const fixes = {
  unauthorized: ({ triggersToken }) => `Set ${triggersToken} to the token that the trigger service was started with.`,
  unreachable: ({ triggersUrl }) => `Check ${triggersUrl} and whether \`webdata triggers serve\` runs there.`,
} satisfies Fixes;

type RecordCalls = Pick<
  TriggersClient,
  'owners' | 'records' | 'putDelivery' | 'putSchedule' | 'deleteDelivery' | 'deleteSchedule'
>;

function recordCalls(transport: Transport): RecordCalls {
  const put = (path: string, body: unknown): WireRequest => ({
    ...refusing,
    method: 'PUT',
    path,
    body,
    secrets: literalSecretsIn(body),
  });
  const remove = async (path: string, { signal }: CallOptions): Promise<boolean> => {
    const { text, value } = await transport.text({ ...refusing, method: 'DELETE', path, signal });
    // The service answers without a body. An HTML page, for example, comes from something else, and nothing was deleted.
    if (text !== '') value(text, z.never());
    return true;
  };
  return {
    owners: ({ signal } = {}) => transport.json(get('/v1/owners', { signal }), z.array(z.string())),
    records: async (owner, { signal } = {}) =>
      (await transport.json({ method: 'GET', path: ownerPath(owner), signal }, answers.ownerRecords)) as OwnerRecords,
    putDelivery: async (owner, name, spec, { signal } = {}) =>
      (await transport.json(
        { ...put(recordPath(owner, 'deliveries', name), spec), signal },
        answers.registeredDelivery,
      )) as RegisteredDelivery,
    putSchedule: async (owner, name, spec, { signal } = {}) =>
      (await transport.json(
        { ...put(recordPath(owner, 'schedules', name), spec), signal },
        answers.registeredScheduleSchema,
      )) as RegisteredSchedule,
    deleteDelivery: (owner, name, options = {}) =>
      remove(recordPath(owner, 'deliveries', name), options).catch(unlessUnknown),
    deleteSchedule: (owner, name, options = {}) =>
      remove(recordPath(owner, 'schedules', name), options).catch(unlessUnknown),
  };
}

type RunCalls = Pick<
  TriggersClient,
  'schedules' | 'setPaused' | 'runNow' | 'runs' | 'run' | 'resolve' | 'totals' | 'version'
>;

function runCalls(transport: Transport): RunCalls {
  const post = (path: string, { signal }: CallOptions, body: object = {}): WireRequest => ({
    ...refusing,
    method: 'POST',
    path,
    body,
    signal,
  });
  const scheduleAction = (owner: string, name: string, action: string) =>
    `${recordPath(owner, 'schedules', name)}/${action}`;
  return {
    schedules: async (filter = {}, options = {}) => {
      const request = get('/v1/schedules', options, { ...filter });
      return (await transport.json(request, z.array(answers.registeredScheduleSchema))) as RegisteredSchedule[];
    },
    setPaused: async (owner, name, paused, options = {}) => {
      const request = post(scheduleAction(owner, name, paused ? 'pause' : 'resume'), options);
      return (await transport.json(request, answers.registeredScheduleSchema)) as RegisteredSchedule;
    },
    runNow: (owner, name, options = {}) =>
      transport.json(post(scheduleAction(owner, name, 'run'), options), answers.runSchema),
    runs: ({ states, ...filter } = {}, options = {}) =>
      transport.json(get('/v1/runs', options, { ...filter, state: states?.join(',') }), z.array(answers.runSchema)),
    run: (id, options = {}) => transport.json(get(`/v1/runs/${pathSegment(id)}`, options), answers.runDetails),
    resolve: (id, resolution, options = {}) =>
      transport.json(post(`/v1/runs/${pathSegment(id)}/resolve`, options, resolution), answers.runSchema),
    totals: (options = {}) => transport.json(get('/v1/totals', options), answers.totalsSchema),
    version: async (options = {}) => (await transport.json(get('/openapi.json', options), apiDescription)).info.version,
  };
}

const apiDescription = z.object({ info: z.object({ version: z.string() }) });

function get(
  path: string,
  { signal }: CallOptions,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): WireRequest {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return { ...refusing, method: 'GET', path, query: texts, signal };
}

function ownerPath(owner: string): string {
  return `/v1/owners/${pathSegment(owner)}`;
}

function recordPath(owner: string, collection: 'deliveries' | 'schedules', name: string): string {
  return `${ownerPath(owner)}/${collection}/${pathSegment(name)}`;
}

/** Turns problems that the service reports into ProblemError. A refused token and a server error stay ServiceErrors. */
const refusing = {
  explain(text: string, { code }: ServiceError): Error | undefined {
    if (!['not-found', 'refused'].includes(code)) return undefined;
    const parsed = answers.problems.safeParse(parsedJson(text));
    return parsed.success ? new ProblemError(parsed.data.error as Problem[]) : undefined;
  },
};

/** Treats an unknown record as already deleted, but rethrows a 404 for an unknown route. */
function unlessUnknown(error: unknown): false {
  if (error instanceof ProblemError && error.problems.every(({ code }) => isUnknownRecord(code))) return false;
  throw error;
}

function isUnknownRecord(code: string): boolean {
  return code === 'unknown-delivery' || code === 'unknown-schedule';
}
