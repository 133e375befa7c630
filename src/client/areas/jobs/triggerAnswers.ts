/** Reads the answer to a trigger. The job is billed, so an id anywhere in the answer is accepted. */
import { isMapValue } from '../../../base/values/plain.ts';
import { type Reader, reportedError, ShapeFault } from '../../reading/readers.ts';

interface JobId {
  /** The field of the specification. */
  field: string;
  /** The form of the ids in the specification. */
  form: RegExp;
}

export const collectorJob: JobId = { field: 'collection_id', form: /^j_\w[\w-]*$/ };

export const datasetJob: JobId = { field: 'snapshot_id', form: /^s_\w[\w-]*$/ };

/** Names that certainly hold the id of a job. */
const jobIdName = /^(?:collection|snapshot|job|run)_?id$/i;

/** A complete id under such a name, in text that is not JSON or was cut off. */
const namedInText = /"(?:collection|snapshot|job|run)_?id"\s*:\s*"([\w.:-]+)"/i;

/** Returns a reader of the id. */
export function triggeredReader(job: JobId): Reader<string> {
  const expected = `an object with \`${job.field}\``;
  return (value, { path, misfits }) => {
    const id = idIn(value, job);
    if (id === undefined) throw new ShapeFault(path, expected, value);
    if (!isMapValue(value) || !Object.hasOwn(value, job.field)) misfits.add(path, value, expected);
    return id;
  };
}

/** Looks into `{data: {collection_id}}` and `[{collection_id}]`, after the object around them. */
function idIn(value: unknown, job: JobId, level = 0): string | undefined {
  if (typeof value === 'string') return idInText(value, job);
  if (typeof value !== 'object' || value === null || level > 2) return undefined;
  const own = isMapValue(value) ? ownId(value, job) : undefined;
  if (own !== undefined) return own;
  for (const inner of Object.values(value)) {
    const id = typeof inner === 'object' || Array.isArray(value) ? idIn(inner, job, level + 1) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the id by its name, or else by its form. A plain `id` next to a reported error may be that of the request and is ignored. */
function ownId(fields: Readonly<Record<string, unknown>>, { field, form }: JobId): string | undefined {
  const named = Object.entries(fields).flatMap(([name, value]) => (jobIdName.test(name) ? (idOf(value) ?? []) : []));
  const isFormed = (id: string | undefined) => id !== undefined && form.test(id);
  const found = idOf(fields[field]) ?? named.find(isFormed) ?? named[0];
  if (found !== undefined) return found;
  return Object.values(fields).map(idOf).find(isFormed) ?? (reportedError(fields) ? undefined : idOf(fields.id));
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}` : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function idInText(text: string, { form }: JobId): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  return form.test(bare) ? bare : namedInText.exec(text)?.[1];
}
