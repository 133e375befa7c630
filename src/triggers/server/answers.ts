/** What is answered when something can't be done: problems, under the status that says whose they are. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import type { Registry } from '../registry.ts';
import { bodyMb, scheduleBodyMb } from './bodyLimits.ts';
import { answersSoon, storeAway } from './storeHealth.ts';

/** Problems under a status of their own. */
export class Refusal extends ProblemError {
  override name = 'Refusal';
  readonly statusCode: number;

  constructor(statusCode: number, problems: readonly Problem[]) {
    super(problems);
    this.statusCode = statusCode;
  }
}

export function answerFailures(registry: Registry) {
  return async (
    error: FastifyError | ProblemError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    if (error instanceof ProblemError) return answer(reply, statusOf(error, request), error.problems);
    const known = requestProblems[error.code];
    if (known !== undefined) return answer(reply, error.statusCode ?? 400, [known]);
    if (error.statusCode !== undefined && error.statusCode < 500) return answer(reply, error.statusCode, [badRequest]);
    // Its other fields may hold what was asked or stored.
    request.log.error({ error: { name: error.name, message: error.message, stack: error.stack } }, 'failed');
    if (!(await answersSoon(registry))) return answer(reply, 503, [storeAway]);
    return answer(reply, 500, [{ ...failed, fix: `see its log, at reqId ${request.id}` }]);
  };
}

export function unknownRoute(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return answer(reply, 404, [noRoute]);
}

export function notFound(what: 'delivery' | 'schedule', owner: string, name: string): Refusal {
  return new Refusal(404, [
    {
      code: `unknown-${what}`,
      found: `${owner} has no ${what} ${name}`,
      fix: 'see GET /v1/owners/OWNER for what it has',
    },
  ]);
}

/** A path that can't be told: no route, and so none of its hooks, has seen it. */
export function unreadablePath({ statusCode = 400 }: FastifyError, reply: FastifyReply): FastifyReply {
  return answer(reply, statusCode, [badRequest]);
}

function answer(reply: FastifyReply, status: number, problems: readonly Problem[]): FastifyReply {
  // A client that still sends must not have its next request read out of the rest.
  if (status === 413) reply.header('connection', 'close');
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ error: problems });
}

/** A spec can be wrong by itself, or in what it names; anything else that is refused is refused as things stand. */
function statusOf(error: ProblemError & { validationContext?: string }, { method }: FastifyRequest): number {
  if (error instanceof Refusal) return error.statusCode;
  if (error.validationContext !== undefined) return error.validationContext === 'body' ? 422 : 400;
  const [problem] = error.problems;
  if (method === 'PUT') return 422;
  return problem?.code.startsWith('unknown-') ? 404 : 409;
}

const notJson: Problem = {
  code: 'not-json',
  found: 'a body that is no JSON, or does not say that it is',
  allowed: 'JSON, with Content-Type: application/json',
};

const requestProblems: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: notJson,
  FST_ERR_CTP_INVALID_JSON_BODY: notJson,
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body-too-large',
    found: 'a body that is too large',
    allowed: `${scheduleBodyMb} MB for a schedule, ${bodyMb} MB for anything else`,
    fix: 'split the inputs over several schedules',
  },
  FST_ERR_HANDLER_TIMEOUT: {
    code: 'store-too-slow',
    found: 'no answer of the store in time',
    fix: 'ask again, or see what keeps the store busy',
  },
};

const badRequest: Problem = {
  code: 'bad-request',
  found: 'a request that is not understood',
  fix: 'see /openapi.json',
};

const noRoute: Problem = {
  code: 'unknown-route',
  found: 'a path or method that there is not',
  fix: 'see /openapi.json',
};

const failed: Problem = { code: 'internal-error', found: 'the trigger service failed' };
