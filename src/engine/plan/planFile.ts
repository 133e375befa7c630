/**
 * Plans in files, to be reviewed now and applied later. A plan file has no secrets and no absolute paths. It is not trusted:
 * `upToDate.ts` checks it.
 */

import { randomUUID } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { readText, shownName, standardStream, type TextSource } from '../../base/files/textFile.ts';
import { isDeeper } from '../../base/values/plain.ts';
import { withoutMark } from '../../base/values/utf8.ts';
import { repeatedKeyIn, repeatedKeyProblem } from '../../base/yaml/jsonKeys.ts';
import { MAX_KEPT_DEPTH, TOO_DEEP } from '../../base/yaml/treeProblems.ts';
import { callSchema } from '../../kinds/knownCalls.ts';
import { fromKinds } from '../../kinds/knownKinds.ts';
import { ownership } from '../../kinds/seam/ownership.ts';
import type { Backend } from '../backend/backend.ts';
import type { Config } from '../declaration/config.ts';
import { isPiped } from '../declaration/sources.ts';
import type { RunMeta } from '../run/journal.ts';
import { fingerprintsOf } from './fingerprints.ts';
import type { Intent, Planned } from './resources.ts';

const planFileSchema = fromKinds(() =>
  z.strictObject({
    format: z.literal('webdata.planfile/1'),
    id: z.string(),
    createdAt: z.string(),
    /** The version of the tool that made the plan. */
    version: z.string(),
    intent: z.enum(['update', 'delete']),
    /** The origin of the service. */
    origin: z.string(),
    /** The declared name of the account. */
    account: z.string().optional(),
    /** The owner of the registrations in the trigger service. */
    owner: z.string().optional(),
    /** The files of the declaration, from the folder in which the plan was made. */
    files: z.array(z.string()).min(1),
    /** The address of the backend, or the path of its journal from the folder of the declaration. */
    backend: z.string(),
    /** The whole declaration, also what was not selected: collection → name → spec. */
    declaration: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .refine((value) => !isDeeper(value, MAX_KEPT_DEPTH), TOO_DEEP.found),
    /** True for a plan of --select. Without it, the plan is of everything that is declared. */
    selected: z.literal(true).optional(),
    /** The zones of --zone. Without them, the plan has all moves of the selected resources. */
    zones: z.array(z.string()).optional(),
    /** The selected resources, in the order in which they are handled. */
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
  { config, meta, cwd, backend }: { config: Config; meta: RunMeta; cwd: string; backend: PlannedBackend },
  {
    intent,
    isSelected,
    zones,
    files,
  }: { intent: Intent; isSelected: boolean; zones?: string[] | undefined; files: readonly string[] },
): PlanFile {
  return {
    format: 'webdata.planfile/1',
    id: randomUUID(),
    createdAt: new Date().toISOString(),
    ...meta,
    intent,
    ...(config.name !== undefined && { owner: config.name }),
    files: files.map((file) => (isPiped(file, cwd) ? standardStream : relative(cwd, resolve(cwd, file)) || '.')),
    backend: backendOfPlan(backend, config),
    declaration: declarationOf(config),
    ...(isSelected && { selected: true as const }),
    ...(zones && { zones }),
    resources: planned.map((each) => {
      const { collection, name, calls } = each.plan;
      return { collection, name, calls, fingerprints: fingerprintsOf(each) };
    }),
  };
}

type PlannedBackend = Pick<Backend, 'address' | 'isShared'>;

/** Returns the backend as a plan file names it: without an absolute path. */
export function backendOfPlan({ address, isShared }: PlannedBackend, { folder }: Pick<Config, 'folder'>): string {
  return isShared ? address : relative(folder, address);
}

/** Returns the declaration as plain JSON values. Secrets are salted hashes. */
export function declarationOf({ declared }: Pick<Config, 'declared'>): PlanFile['declaration'] {
  const collections = Map.groupBy(declared, ({ collection }) => collection);
  const entries = [...collections].map(([collection, resources]) => [
    collection,
    Object.fromEntries(
      resources.map(({ name, spec, definition }) => [name, ownership.of(definition)?.seal(spec) ?? spec]),
    ),
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

export function planFileText(content: PlanFile): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The permissions of a plan file: it has the names and addresses of the account. */
export const planFileMode = 0o600;

/** Reads a plan file, or standard input for `-`. @throws ProblemError if it is not a plan file */
export async function readPlanFile(file: string, source: TextSource): Promise<PlanFile> {
  let content: unknown;
  try {
    const text = withoutMark(await readText(file, source));
    content = JSON.parse(text);
    assertKeysOnce(text, shownName(file));
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw notAPlan(shownName(file), code === undefined ? 'it is not JSON' : systemReason(code));
  }
  return planFileFrom(content, shownName(file));
}

/** Two values of one key would be reviewed, and only the last one applied. @throws ProblemError */
function assertKeysOnce(text: string, file: string): void {
  const repeated = repeatedKeyIn(text);
  if (repeated === undefined) return;
  throw notAPlan(file, `line ${repeated.line}: ${repeatedKeyProblem(repeated.key).found}`);
}

/** Checks the content of a plan file; `file` is its name. @throws ProblemError */
export function planFileFrom(content: unknown, file: string): PlanFile {
  const parsed = planFileSchema().safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw notAPlan(
    file,
    issue ? `at ${z.core.toDotPath(issue.path) || 'its top'}: ${issue.message}` : 'its structure is wrong',
  );
}

function notAPlan(file: string, why: string): ProblemError {
  return new ProblemError([
    {
      code: 'not-a-plan-file',
      found: `${file} is not a plan file: ${why}`,
      allowed: 'a file that `webdata plan --output FILE` wrote',
      fix: 'plan again',
    },
  ]);
}
