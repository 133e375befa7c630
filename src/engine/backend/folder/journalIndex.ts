/**
 * The index beside a journal: a summary of the runs up to a position, so that a plan reads only the lines written since. It can be deleted
 * at any time. An index that no longer matches its journal is ignored.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { z } from 'zod';
import { openPrivateFile } from '../../../base/files/privateFile.ts';
import { decodedText } from '../../../base/files/textFile.ts';
import { writeWholeFile } from '../../../base/files/wholeFile.ts';
import { parsedJson } from '../../../base/values/plain.ts';
import { type LogSummary, logSummary, type Position } from '../backend.ts';

const indexSchema = logSummary.extend({
  format: z.literal('webdata.journal-index/2'),
  /** The size of the indexed part of the journal. */
  bytes: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  /** A digest of the last bytes of that part. */
  digest: z.string(),
  /** The size of the whole file when the index was written. */
  size: z.int().nonnegative(),
  modifiedMs: z.number(),
});

type JournalIndex = z.output<typeof indexSchema>;

/** Reads the index. Returns undefined if there is none, or if the journal was edited since. */
export async function readIndex(
  file: string,
  journal: FileHandle,
): Promise<(LogSummary & { end: Position }) | undefined> {
  const index = indexSchema.safeParse(parsedJson(await indexText(indexFile(file)))).data;
  if (index === undefined) return undefined;
  const { size, mtimeMs } = await journal.stat();
  const isSameFile = size > index.size || (size === index.size && mtimeMs === index.modifiedMs);
  if (!isSameFile || index.bytes > size) return undefined;
  if ((await digestBefore(journal, index.bytes)) !== index.digest) return undefined;
  return { kept: index.kept, facts: index.facts, end: { offset: index.bytes, lines: index.lines } };
}

/** Writes the index. If that fails, the next plan reads the whole journal. */
export async function writeIndex(
  file: string,
  journal: FileHandle,
  { offset: bytes, lines }: Position,
  summary: LogSummary,
): Promise<void> {
  const { size, mtimeMs: modifiedMs } = await journal.stat();
  const digest = await digestBefore(journal, bytes);
  const index: JournalIndex = { format: 'webdata.journal-index/2', bytes, lines, digest, size, modifiedMs, ...summary };
  const options = { mode: 0o600, replacesLink: true };
  await writeWholeFile(indexFile(file), `${JSON.stringify(index)}\n`, options).catch(() => undefined);
}

/** Removes the index of a journal that was rewritten. */
export async function removeIndex(file: string): Promise<void> {
  await rm(indexFile(file), { force: true });
}

function indexFile(journal: string): string {
  return `${journal}.index`;
}

const digestedBytes = 4096;

async function digestBefore(journal: FileHandle, position: number): Promise<string> {
  const length = Math.min(digestedBytes, position);
  const bytes = Buffer.alloc(length);
  await journal.read(bytes, 0, length, position - length);
  return createHash('sha256').update(bytes).digest('hex');
}

async function indexText(file: string): Promise<string> {
  try {
    await using handle = await openPrivateFile(file, 'read');
    return decodedText(await handle.readFile(), file);
  } catch {
    return '';
  }
}
