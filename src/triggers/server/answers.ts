/** Turns errors into answers: problems, under the status that fits them. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { StoreOutage } from '../store/storeFailure.ts';
import type { StoreHealth } from './storeHealth.ts';

/** The largest body, in MB. A schedule contains its inputs, so it may be larger. */
export const bodyMb = 8;
export const scheduleBodyMb = 64;

/** Problems with a status of their own. */
export class RefusedRequest extends ProblemError {
  override name = 'RefusedRequest';
  readonly statusCode: number;

  constructor(statusCode: number, problems: readonly Problem[]) {
    super(problems);
    this.statusCode = statusCode;
  }
}

export function answerFailures(health: StoreHealth) {
  return async (
    error: FastifyError | ProblemError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    if (error instanceof StoreOutage) return answer(reply, 503, error.problems);
    if (error instanceof ProblemError) return answer(reply, statusOf(error, request), error.problems);
    const known = requestProblems[error.code];
    if (known !== undefined) return answer(reply, error.statusCode ?? 400, [known]);
    if (error.statusCode !== undefined && error.statusCode < 500) return answer(reply, error.statusCode, [badRequest]);
    // Logs only these fields, because the other fields of an error may contain requests or stored data.
    request.log.error({ error: { name: error.name, message: error.message, stack: error.stack } }, 'failed');
    const problem = await health.problem();
    if (problem !== undefined) return answer(reply, 503, [problem]);
    return answer(reply, 500, [{ ...failed, fix: `see its log, at reqId ${request.id}` }]);
  };
}

export function unknownRoute(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return answer(reply, 404, [noRoute]);
}

/** Answers a request with an unreadable path, which reaches no route and no hook. */
export function unreadablePath({ statusCode = 400 }: FastifyError, reply: FastifyReply): FastifyReply {
  return answer(reply, statusCode, [badRequest]);
}

function answer(reply: FastifyReply, status: number, problems: readonly Problem[]): FastifyReply {
  // The client may still be sending: the rest must not be read as its next request.
  if (status === 413) reply.header('connection', 'close');
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ error: problems });
}

/** Problems of a spec are 422, others depend on the current state of the ledger. */
function statusOf(error: ProblemError & { validationContext?: string }, { method }: FastifyRequest): number {
  if (error instanceof RefusedRequest) return error.statusCode;
  if (error.validationContext !== undefined) return error.validationContext === 'body' ? 422 : 400;
  const [problem] = error.problems;
  if (method === 'PUT') return 422;
  return problem?.code.startsWith('unknown-') ? 404 : 409;
}

const notJson: Problem = {
  code: 'not-json',
  found: 'the body is not JSON, or Content-Type is missing',
  allowed: 'JSON, with Content-Type: application/json',
};

const requestProblems: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: notJson,
  FST_ERR_CTP_INVALID_JSON_BODY: notJson,
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body-too-large',
    found: 'the body is too large',
    allowed: `${scheduleBodyMb} MB for a schedule, ${bodyMb} MB for anything else`,
    fix: 'split the inputs over several schedules',
  },
  FST_ERR_HANDLER_TIMEOUT: {
    code: 'store-too-slow',
    found: 'the store did not answer in time',
    fix: 'try again, or find out what keeps the store busy',
  },
};

const badRequest: Problem = {
  code: 'bad-request',
  found: 'the request is not valid',
  fix: 'see /openapi.json',
};

const noRoute: Problem = {
  code: 'unknown-route',
  found: 'unknown path or method',
  fix: 'see /openapi.json',
};

const failed: Problem = { code: 'internal-error', found: 'the trigger service failed' };
