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
import {
  type AnsweringName,
  type OperationAnswer,
  type OperationName,
  operations,
  type RequestParts,
} from './api/operations.ts';
import { problems } from './api/problems.ts';
import type { TriggersClient } from './api/triggersClient.ts';
import { literalSecretsIn } from './secrets/secrets.ts';

export interface TriggersOptions extends ConnectionOptions {
  /** Sent as a bearer token with every call; never part of an error or of the request log. */
  token: string;
}

/** Sends nothing. @throws ServiceError for an invalid URL or token */
export function createTriggersClient({ token, ...connection }: TriggersOptions): TriggersClient {
  const shownUrl = redactor([token])(connection.url);
  const checked = headerSecret(token, 'the token', shownUrl, fixes.unauthorized);
  const headers = { authorization: `Bearer ${checked}` };
  const transport = createTransport({ ...connection, headers, secrets: [checked], fixes });
  return { url: transport.url, ...callsOf(transport), close: transport.close };
}

const fixes = {
  unauthorized: ({ triggersToken }) => `Set ${triggersToken} to the token that the trigger service was started with.`,
  unreachable: ({ triggersUrl }) => `Check ${triggersUrl} and whether \`webdata triggers serve\` runs there.`,
} satisfies Fixes;

function callsOf(transport: Transport): Omit<TriggersClient, 'url' | 'close'> {
  async function call<Name extends AnsweringName>(
    name: Name,
    parts: RequestParts<Name>,
    { signal }: CallOptions = {},
    more: Partial<WireRequest> = refusing,
  ): Promise<OperationAnswer<Name>> {
    return transport.json({ ...requestOf(name, parts), ...more, signal }, answering[name].answer);
  }
  async function remove(name: 'deleteDelivery' | 'deleteSchedule', params: RecordParams, { signal }: CallOptions = {}) {
    const request = { ...requestOf(name, { params }), ...refusing, signal };
    try {
      const { text, value } = await transport.text(request);
      // The service answers without a body. An HTML page, for example, comes from something else, and nothing was deleted.
      if (text !== '') value(text, z.never());
      return true;
    } catch (error) {
      if (isUnknownRecord(error)) return false;
      throw error;
    }
  }
  return {
    owners: (options) => call('listOwners', {}, options),
    // Every failure stays a ServiceError: it stops the resources of this service, and no others.
    records: (owner, options) => call('getOwner', { params: { owner } }, options, {}),
    putDelivery: (owner, name, body, options) =>
      call('putDelivery', { params: { owner, name }, body }, options, { ...refusing, secrets: literalSecretsIn(body) }),
    putSchedule: (owner, name, body, options) =>
      call('putSchedule', { params: { owner, name }, body }, options, { ...refusing, secrets: literalSecretsIn(body) }),
    deleteDelivery: (owner, name, options) => remove('deleteDelivery', { owner, name }, options),
    deleteSchedule: (owner, name, options) => remove('deleteSchedule', { owner, name }, options),
    schedules: (query = {}, options) => call('listSchedules', { query }, options),
    setPaused: (owner, name, paused, options) =>
      call(paused ? 'pauseSchedule' : 'resumeSchedule', { params: { owner, name } }, options),
    runNow: (owner, name, options) => call('runSchedule', { params: { owner, name } }, options),
    runs: ({ states, ...query } = {}, options) =>
      call('listRuns', { query: { ...query, state: states?.join(',') } }, options),
    run: (id, options) => call('getRun', { params: { id } }, options),
    resolve: (id, body, options) => call('resolveRun', { params: { id }, body }, options),
    totals: (options) => call('getTotals', {}, options),
    version: async ({ signal } = {}) => {
      const request: WireRequest = { ...refusing, method: 'GET', path: '/openapi.json', signal };
      return (await transport.json(request, apiDescription)).info.version;
    },
  };
}

/** The table by name, so that the compiler knows the answer of each. */
const answering: { readonly [Name in AnsweringName]: { answer: z.ZodType<OperationAnswer<Name>> } } = operations;

type RecordParams = RequestParts<'deleteDelivery'>['params'];

const apiDescription = z.object({ info: z.object({ version: z.string() }) });

/** Without the parts that the operation does not have. A POST has a body in any case. */
function requestOf<Name extends OperationName>(name: Name, parts: RequestParts<Name>): WireRequest {
  const { method, path } = operations[name];
  const { params = {}, query, body }: Parts = parts;
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, (_, param: string) => pathSegment(params[param] ?? '')),
    ...(query && { query: textsOf(query) }),
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: body ?? {} }),
  };
}

interface Parts {
  params?: Readonly<Record<string, string>>;
  query?: Query;
  body?: unknown;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function textsOf(query: Query): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Turns problems that the service reports into ProblemError. A refused token and a server error stay ServiceErrors. */
const refusing = {
  explain(text: string, { code }: ServiceError): Error | undefined {
    if (!['not-found', 'refused'].includes(code)) return undefined;
    const parsed = problems.safeParse(parsedJson(text));
    return parsed.success ? new ProblemError(parsed.data.error as Problem[]) : undefined;
  },
};

/** A 404 for an unknown route is not one for an unknown record. */
function isUnknownRecord(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.problems.every(({ code }) => code === 'unknown-delivery' || code === 'unknown-schedule');
}
