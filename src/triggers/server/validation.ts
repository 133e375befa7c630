/** Validates requests with zod schemas, with problems as for a declaration. */
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { ZodType } from 'zod';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { parse } from '../../base/diagnostics/zodProblems.ts';
import { isDeeper } from '../../base/values/plain.ts';
import { decodeUtf8, withoutMark } from '../../base/values/utf8.ts';
import { inexactInJson, inexactNumber } from '../../base/yaml/exactNumbers.ts';
import { repeatedKeyIn, repeatedKeyProblem } from '../../base/yaml/jsonKeys.ts';
import { MAX_DEPTH, TOO_DEEP } from '../../base/yaml/treeProblems.ts';
import { RefusedRequest } from './answers.ts';

/** Parses bodies like Fastify's default parser, but refuses text, numbers and keys that would be stored as others. */
export function refuseInexactBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const decoded = decodeUtf8(bytes);
    if ('wrongLine' in decoded) return done(new RefusedRequest(400, [notUtf8(decoded.wrongLine)]));
    const body = withoutMark(decoded.text);
    parseJson(request, body, (error, value) => {
      const problem = error ? undefined : lossIn(body);
      if (problem === undefined) done(error, value);
      else done(new RefusedRequest(422, [problem]));
    });
  });
}

/** Returns a problem about a value of the body that would be stored as another one, or not at all. */
function lossIn(body: string): Problem | undefined {
  const inexact = inexactInJson(body);
  if (inexact !== undefined) return inexactNumber(inexact.text);
  const repeated = repeatedKeyIn(body);
  if (repeated === undefined) return undefined;
  const { found, ...problem } = repeatedKeyProblem(repeated.key);
  return { ...problem, found: `line ${repeated.line} of the body: ${found}` };
}

function notUtf8(line: number): Problem {
  const found = `line ${line} of the body is not text in UTF-8`;
  return { code: 'not-utf-8', found, allowed: 'JSON in UTF-8', fix: 'send it as UTF-8' };
}

export const validator: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (data) => {
    if (isDeeper(data, MAX_DEPTH)) return { error: new ProblemError([TOO_DEEP]) };
    const parsed = parse(schema, data);
    return parsed.ok ? { value: parsed.value } : { error: new ProblemError(parsed.problems) };
  };

/** Does not validate answers: their schemas are for the document only, and parsing a thousand runs would take longer than finding them. */
export const serializer: FastifySerializerCompiler<unknown> = () => (data) => JSON.stringify(data);
