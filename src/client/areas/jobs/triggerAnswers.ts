/** Reads the answer to a trigger. The job is billed, so an id anywhere in the answer is accepted. */
import { isMapValue } from '../../../base/values/plain.ts';
import { type Reader, reportedError, ShapeFault, type ValuePlace } from '../../reading/readers.ts';

interface Triggered {
  id: string;
  /** Object that contains the id; empty if the id was found in text. */
  fields: Readonly<Record<string, unknown>>;
}

/** Names of the id of a job in answers. */
interface JobNames {
  /** Field of the specification, followed by others that certainly hold the id. */
  fields: readonly string[];
  /** Form of the ids. */
  form: RegExp;
}

export const collectorJob: JobNames = {
  fields: ['collection_id', 'collectionId', 'snapshot_id', 'snapshotId', 'job_id', 'jobId', 'run_id', 'runId'],
  form: /^j_\w[\w-]*$/,
};

export const datasetJob: JobNames = {
  fields: ['snapshot_id', 'snapshotId', 'collection_id', 'collectionId', 'job_id', 'jobId', 'run_id', 'runId'],
  form: /^s_\w[\w-]*$/,
};

export function triggeredReader(names: JobNames): Reader<Triggered> {
  return (value, at) => {
    const found = triggeredIn(value, names, 0);
    if (found === undefined) throw new ShapeFault(at.path, `an object with \`${names.fields[0]}\``, value);
    noteOther(found, value, names, at);
    return found;
  };
}

function triggeredIn(value: unknown, names: JobNames, depth: number): Triggered | undefined {
  if (typeof value === 'string') return inText(value, names);
  if (typeof value !== 'object' || value === null || depth > mostLevels) return undefined;
  const own = isMapValue(value) ? idIn(value, names) : undefined;
  if (own !== undefined && isMapValue(value)) return { id: own, fields: value };
  for (const inner of Object.values(value)) {
    const found = typeof inner === 'object' || Array.isArray(value) ? triggeredIn(inner, names, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Maximum nesting, for `{data: {collection_id}}` and `[{collection_id}]`. */
const mostLevels = 2;

/** Returns the id by its name, or else by its form. A plain `id` next to a reported error may be that of the request and is ignored. */
function idIn(value: Record<string, unknown>, { fields, form }: JobNames): string | undefined {
  for (const name of fields) {
    const id = idOf(value[name]);
    if (id !== undefined) return id;
  }
  const formed = Object.values(value).find((field) => typeof field === 'string' && form.test(field.trim()));
  if (typeof formed === 'string') return formed.trim();
  return reportedError(value) === undefined ? idOf(value.id) : undefined;
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}` : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns a complete id in text that is not JSON or was truncated. */
function inText(text: string, { fields, form }: JobNames): Triggered | undefined {
  const trimmed = text.trim();
  if (form.test(trimmed)) return { id: trimmed, fields: {} };
  const [, id] = new RegExp(String.raw`"(?:${fields.join('|')})"\s*:\s*"([\w.:-]+)"`).exec(text) ?? [];
  return id === undefined ? undefined : { id, fields: {} };
}

function noteOther(
  { fields }: Triggered,
  value: unknown,
  { fields: [specified = ''] }: JobNames,
  { path, misfits }: ValuePlace,
): void {
  if (!Object.hasOwn(fields, specified)) misfits.add(path, value, `an object with \`${specified}\``);
}
