/**
 * What the service says in place of a snapshot's content (specification, C2): a text or an error object, under a status that is
 * not shown. So it is told by its words.
 */
import { z } from 'zod';
import { type Fixes, failing, type ServiceError } from './errors.ts';

export type Notice = 'not-ready' | 'not-found';

/** The notice that a whole answer is, if it is one. A content of the same words would have more than one line, or more fields. */
export function snapshotNotice(text: string): Notice | undefined {
  const words = errorIn(text) ?? (/^[[{"]|\n/.test(text) ? undefined : text);
  return words === undefined ? undefined : noticeIn(words);
}

/** What a refusal says of the snapshot: that it is not ready, or an error whose code says that there is none. */
export function snapshotRefusal(error: ServiceError, fixes: Fixes): 'not-ready' | ServiceError {
  const { said = '', status, request } = error;
  const notice = status === undefined ? undefined : noticeIn(said);
  if (notice === 'not-ready') return notice;
  if (notice === undefined || error.code === 'not-found') return error;
  const fail = failing({ ...request, read: true }, fixes);
  return fail('not-found', `was answered ${status}`, {
    said,
    transient: false,
    cause: error,
    ...(status && { status }),
  });
}

function noticeIn(words: string): Notice | undefined {
  if (/not ready|\bbuilding\b/i.test(words)) return 'not-ready';
  return /not found/i.test(words) ? 'not-found' : undefined;
}

const errorObject = z.strictObject({ error: z.string() });

function errorIn(text: string): string | undefined {
  try {
    return errorObject.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}
