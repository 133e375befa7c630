/**
 * A plan kept in a file, to be reviewed now and applied later. It holds no secret and no absolute path, and it is not trusted:
 * see `verifyPlanFile.ts`.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../diagnostics/problem.ts';
import { writeWholeFile } from '../../files/wholeFile.ts';
import { callSchema } from '../../kinds/knownCalls.ts';
import { fromKinds } from '../../kinds/registry.ts';
import { isDeeper } from '../../values/plain.ts';
import { MAX_DEPTH, TOO_DEEP } from '../../yaml/treeProblems.ts';
import type { Config } from '../config/config.ts';
import type { Intent, Planned } from './planned.ts';

/** More than any declaration has: a sealed secret is a little deeper than an open one. */
const mostLevels = MAX_DEPTH + 10;

const planFileSchema = fromKinds(() =>
  z.strictObject({
    format: z.literal('webdata.planfile/1'),
    id: z.string(),
    createdAt: z.string(),
    /** Of the tool that made it. */
    version: z.string(),
    intent: z.enum(['update', 'delete']),
    /** Of the API. */
    origin: z.string(),
    /** Of what is registered in the trigger service. */
    owner: z.string().optional(),
    /** Collection → name → spec: all that was declared, also what was not selected. */
    declaration: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .refine((value) => !isDeeper(value, mostLevels), TOO_DEEP.found),
    /** What was selected, in the order in which it is to be handled. */
    resources: z.array(
      z.strictObject({
        collection: z.string(),
        name: z.string(),
        calls: z.array(callSchema(z.strictObject)),
        fingerprints: z.record(z.string(), z.string()),
      }),
    ),
  }),
);

export type PlanFile = z.output<ReturnType<typeof planFileSchema>>;

export function planFileOf(
  planned: readonly Planned[],
  config: Config,
  intent: Intent,
  meta: { origin: string; version: string },
): PlanFile {
  return {
    format: 'webdata.planfile/1',
    id: randomUUID(),
    createdAt: new Date().toISOString(),
    ...meta,
    intent,
    ...(config.name !== undefined && { owner: config.name }),
    declaration: declarationOf(config),
    resources: planned.map(({ plan: { collection, name, calls, fingerprints } }) => ({
      collection,
      name,
      calls,
      fingerprints,
    })),
  };
}

/** What is declared, as plain JSON values; secrets as salted hashes. */
export function declarationOf({ declared }: Pick<Config, 'declared'>): PlanFile['declaration'] {
  const collections = Map.groupBy(declared, ({ collection }) => collection);
  const entries = [...collections].map(([collection, its]) => [
    collection,
    Object.fromEntries(its.map(({ name, spec, definition }) => [name, definition.owned?.seal(spec) ?? spec])),
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

export async function writePlanFile(file: string, content: PlanFile): Promise<void> {
  await writeWholeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** `folder` is where a relative name starts. @throws ProblemError for anything that is no plan file */
export async function readPlanFile(file: string, folder: string): Promise<PlanFile> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(resolve(folder, file), 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw notAPlan(
      file,
      code === 'ENOENT' ? 'there is no such file' : code ? `it can't be read (${code})` : 'it is no JSON',
    );
  }
  const parsed = planFileSchema().safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw notAPlan(
    file,
    issue ? `at ${z.core.toDotPath(issue.path) || 'its top'}: ${issue.message}` : 'it has another shape',
  );
}

function notAPlan(file: string, why: string): ProblemError {
  return new ProblemError([
    {
      code: 'not-a-plan-file',
      found: `${file} is no plan file: ${why}`,
      allowed: 'a file that `webdata plan --output FILE` wrote',
      fix: 'plan again',
    },
  ]);
}
