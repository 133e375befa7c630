/** What comes in is checked by zod schemas, with problems as for a declaration; what goes out was made by this program. */
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { ZodType } from 'zod';
import { isDeeper } from '../../input/plain.ts';
import { ProblemError } from '../../input/problem.ts';
import { MAX_DEPTH, TOO_DEEP } from '../../input/yamlTreeProblems.ts';
import { zodProblems } from '../../input/zodProblems.ts';

export const validator: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (data) => {
    if (isDeeper(data, MAX_DEPTH)) return { error: new ProblemError([TOO_DEEP]) };
    const parsed = schema.safeParse(data);
    if (parsed.success) return { value: parsed.data };
    return { error: new ProblemError(zodProblems(parsed.error, data, { schema })) };
  };

/** The schemas of answers are for the document: parsing a thousand runs again would cost more than finding them. */
export const serializer: FastifySerializerCompiler<unknown> = () => (data) => JSON.stringify(data);
