/** The lines of the journal, and how each is read: the file may have been edited by hand, or may be another one. */
import { basename } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../input/plain.ts';
import { ProblemError } from '../input/problem.ts';
import { callSchema } from '../resources/callTypes.ts';

/** By the tool's own clock; what is no time would be waited for without an end. */
const at = z.iso.datetime();
const effect = z.enum(['none', 'unknown']);
const ips = z.array(z.string());
const ofCall = { run: z.string(), seq: z.int(), at };

/** Of a migrate, or of any other call. */
const seen = z
  .object({
    type: z.literal('seen'),
    ...ofCall,
    final: z.boolean().optional(),
    took: z.boolean().optional(),
    moved: ips.default([]),
    notMoved: ips.default([]),
    elsewhere: ips.default([]),
    notVisible: ips.default([]),
  })
  .transform(({ took, moved, notMoved, elsewhere, notVisible, ...rest }) => ({
    ...rest,
    ...(took === undefined ? { moved, notMoved, elsewhere, notVisible } : { took }),
  }));

export type ReadEntry = z.output<typeof entrySchema>;

const entrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    run: z.string(),
    at,
    command: z.enum(['apply', 'destroy', 'undo', 'zones migrate', 'manager delete-ports']),
    origin: z.string(),
    version: z.string(),
    plan: z.string().optional(),
    undoes: z.string().optional(),
  }),
  z.object({
    type: z.literal('sending'),
    ...ofCall,
    resource: z.object({ kind: z.string(), collection: z.string(), name: z.string() }),
    call: callSchema(z.object),
  }),
  z.object({ type: z.literal('answered'), ...ofCall, count: z.int().optional() }),
  z.object({ type: z.literal('failed'), ...ofCall, code: z.string(), message: z.string(), effect }),
  seen,
  z.object({ type: z.literal('end'), run: z.string(), at, result: z.enum(['done', 'failed']) }),
]);

/** Undefined for a line that a crash cut off, which is never JSON. @throws ProblemError for JSON that is something else */
export function parseEntry(line: string, number: number, file: string): ReadEntry | undefined {
  const value = parsedJson(line);
  if (value === undefined) return undefined;
  const { data, error } = entrySchema.safeParse(value);
  if (error) throw new ProblemError([notAnEntry(error, number, file)]);
  return data;
}

function notAnEntry({ issues: [issue] }: z.ZodError, line: number, file: string) {
  const where = issue === undefined ? '' : z.core.toDotPath(issue.path);
  return {
    code: 'not-a-journal',
    found: `line ${line} of ${basename(file)} is none of the journal: at ${where || 'its top'}: ${issue?.message}`,
    allowed: 'lines as this tool writes them',
    fix: 'put the line right, or name another file with --journal',
  };
}
