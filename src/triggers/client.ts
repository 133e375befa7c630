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
import { callsBy, operationOf, type Parts, type SendOperation, textsOf } from './api/calls.ts';
import type { Operation, OperationAnswer } from './api/operations.ts';
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
  const calls = callsBy(senderOver(transport));
  return { url: transport.url, ...calls, version: (options) => versionOf(transport, options), close: transport.close };
}

const fixes = {
  unauthorized: ({ triggersToken }) => `Set ${triggersToken} to the token that the trigger service was started with.`,
  unreachable: ({ triggersUrl }) => `Check ${triggersUrl} and whether \`webdata triggers serve\` runs there.`,
} satisfies Fixes;

function senderOver(transport: Transport): SendOperation {
  return async (name, parts: Parts, { signal } = {}) => {
    const operation = await operationOf(name);
    // Every failure to read the records stays a ServiceError: it stops the resources of this service, and no others.
    const more = name === 'getOwner' ? {} : refusing;
    const request = { ...requestOf(operation, parts), ...more, signal, secrets: literalSecretsIn(parts.body) };
    const { answer } = operation;
    if (answer !== undefined) return (await transport.json(request, answer)) as OperationAnswer<typeof name>;
    const { text, value } = await transport.text(request);
    // The service answers without a body. An HTML page, for example, comes from something else, and nothing was deleted.
    if (text !== '') value(text, z.never());
    return undefined as OperationAnswer<typeof name>;
  };
}

async function versionOf(transport: Transport, { signal }: CallOptions = {}): Promise<string> {
  const request: WireRequest = { ...refusing, method: 'GET', path: '/openapi.json', signal };
  return (await transport.json(request, apiDescription)).info.version;
}

const apiDescription = z.object({ info: z.object({ version: z.string() }) });

/** Without the parts that the operation does not have. A POST has a body in any case. */
function requestOf({ method, path }: Operation, { params = {}, query, body }: Parts): WireRequest {
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, (_, param: string) => pathSegment(params[param] ?? '')),
    ...(query && { query: textsOf(query) }),
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: body ?? {} }),
  };
}

/** Turns problems that the service reports into ProblemError. A refused token and a server error stay ServiceErrors. */
const refusing = {
  explain(text: string, { code }: ServiceError): Error | undefined {
    if (!['not-found', 'refused'].includes(code)) return undefined;
    const parsed = problems.safeParse(parsedJson(text));
    return parsed.success ? new ProblemError(parsed.data.error as Problem[]) : undefined;
  },
};
