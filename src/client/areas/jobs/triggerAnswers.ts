/** Reads the answer to a trigger. The job is billed, so an id anywhere in the answer is accepted. */
import { isMapValue } from '../../../base/values/plain.ts';
import { type Reader, reportedError, ShapeFault } from '../../reading/readers.ts';

interface JobId {
  /** The field of the specification. */
  field: string;
  /** An id of the form of the specification, as the whole text or quoted. */
  formed: RegExp;
}

export const collectorJob: JobId = { field: 'collection_id', formed: /^\s*(j_\w[\w-]*)\s*$|"(j_\w[\w-]*)"/ };

export const datasetJob: JobId = { field: 'snapshot_id', formed: /^\s*(s_\w[\w-]*)\s*$|"(s_\w[\w-]*)"/ };

/** A complete id under a name that certainly holds it, in JSON or in text that was cut off. */
const named = /"(?:collection|snapshot|job|run)_?id"\s*:\s*(?:"\s*([\w.:-]+)\s*"|(\d+)\b)/i;

const plain = /"id"\s*:\s*(?:"\s*([\w.:-]+)\s*"|(\d+)\b)/;

/** Returns a reader of the id. */
export function triggeredReader({ field, formed }: JobId): Reader<string> {
  return (value, { path, misfits }) => {
    const specified = isMapValue(value) ? value[field] : undefined;
    if (typeof specified === 'string' && specified.trim() !== '') return specified.trim();
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    // Next to an error, a plain `id` may be that of the request.
    const mayBePlain = typeof value !== 'string' && reportedError(value) === undefined;
    const [, first, second] = named.exec(text) ?? formed.exec(text) ?? (mayBePlain ? plain.exec(text) : null) ?? [];
    const id = first ?? second;
    if (id === undefined) throw new ShapeFault(path, `an object with \`${field}\``, value);
    misfits.add(path, value, `an object with \`${field}\``);
    return id;
  };
}
