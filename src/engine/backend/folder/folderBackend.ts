/** A backend for one machine: a journal file, documents beside it, and a lock between the processes of this user. */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { makeFolder } from '../../../base/files/folders.ts';
import { type LineFile, linesOf } from '../../../base/files/lineFile.ts';
import { openPrivateFile } from '../../../base/files/privateFile.ts';
import { decodedText } from '../../../base/files/textFile.ts';
import { writeWholeFile } from '../../../base/files/wholeFile.ts';
import {
  type Backend,
  type DocumentUpdate,
  type LogReader,
  type LogWriter,
  logStart,
  type Position,
  type StoredDocument,
} from '../backend.ts';
import { readIndex, removeIndex, writeIndex } from './journalIndex.ts';
import type { MachineVariables } from './machineFolder.ts';
import { countLines, lineStartAfter, readLines } from './readLines.ts';

interface FolderOptions {
  /** The path of the journal. */
  journal: string;
  /** The key of the account: commands with the same key exclude each other. */
  account: string;
  env: MachineVariables;
}

export function openFolderBackend({ journal, account, env }: FolderOptions): Backend {
  const lock = { key: account, env };
  const folder = dirname(journal);
  const journalName = basename(journal).replace(/\.jsonl$/, '');
  // `baseline.json` beside `journal.jsonl`, and `ci.baseline.json` beside `ci.jsonl`.
  const prefix = journalName === 'journal' ? '' : `${journalName}.`;
  const documentFile = (name: string) => join(folder, `${prefix}${name}.json`);
  return {
    account,
    address: journal,
    logName: basename(journal),
    isShared: false,
    async withLock(options, action) {
      const { withMachineLock } = await machineLock();
      return withMachineLock(lock, options, action);
    },
    lockHolder: async () => (await machineLock()).machineLockHolder(lock),
    breakLock: async () => (await machineLock()).breakMachineLock(lock),
    openLog: () => openReader(journal),
    appendToLog: () => openWriter(journal),
    dropLines: (isDropped) => dropLines(journal, isDropped),
    readDocument: (name) => readDocument(documentFile(name)),
    async *readDocuments(name) {
      // All accounts of a folder share its documents.
      const document = await readDocument(documentFile(name));
      if (document !== undefined) yield document;
    },
    updateDocument: (name, update) => updateDocument(documentFile(name), update, env),
    async close() {},
  };
}

/** Fewer bytes are read fast enough without an index. */
const indexedBytes = 128 * 1024;

async function openReader(file: string): Promise<LogReader | undefined> {
  const handle = await openIfThere(file);
  if (handle === undefined) return undefined;
  return {
    read: (from) => readLines(handle, from),
    positionNearEnd: (bytes) => positionNearEnd(file, handle, bytes),
    readSummary: () => readIndex(file, handle),
    async writeSummary(from, end, makeSummary) {
      if (end.offset - from.offset > indexedBytes) await writeIndex(file, handle, end, makeSummary());
    },
    ageMs: () => ageOf(file, handle),
    close: () => handle.close(),
  };
}

/** Asks the file system for the time, by a new file: its clock may be that of a server, and differ from that of this machine. */
async function ageOf(file: string, journal: FileHandle): Promise<number> {
  const probe = join(dirname(file), `.time.${randomUUID()}`);
  try {
    await using created = await open(probe, 'wx', 0o600);
    const [now, written] = await Promise.all([created.stat(), journal.stat()]);
    return Math.max(0, now.mtimeMs - written.mtimeMs);
  } catch {
    // A folder that cannot be written.
    return 0;
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** Counts the lines from the end of the indexed part, which is near the end of the file after each plan. */
async function positionNearEnd(file: string, handle: FileHandle, bytes: number): Promise<Position | undefined> {
  const { size } = await handle.stat();
  if (size <= bytes) return undefined;
  const { end: known } = (await readIndex(file, handle)) ?? { end: logStart };
  const offset = await lineStartAfter(handle, size - bytes);
  const isAfter = offset >= known.offset;
  const between = await countLines(handle, isAfter ? known.offset : offset, isAfter ? offset : known.offset);
  return { offset, lines: known.lines + (isAfter ? between : -between) };
}

/**
 * Opens the journal. Creates the file and its folder where they are missing, readable by their owner only. Lines that are added while others
 * are being written share the next write and sync.
 */
async function openWriter(file: string): Promise<LogWriter> {
  let journal = await openForAppend(file);
  let pending: string[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function writePending(): Promise<void> {
    const lines = pending;
    pending = [];
    // `history --prune` of another account replaces the file.
    if (!(await isStillAt(file, journal))) {
      await journal.file.close();
      journal = await openForAppend(file);
    }
    await journal.file.append(lines.join('\n')).catch((error: NodeJS.ErrnoException) => throwNamed(file, error));
  }

  return {
    append(lines) {
      if (pending.length === 0) writing = writing.catch(() => undefined).then(writePending);
      pending.push(...lines);
      return writing;
    },
    async close() {
      await writing.catch(() => undefined);
      await journal.file.close();
    },
  };
}

interface OpenJournal {
  file: LineFile;
  /** Identifies the file, even if another one takes its name. */
  stats: Stats;
}

async function openForAppend(file: string): Promise<OpenJournal> {
  const folder = dirname(file);
  const handle = await makeFolder(folder, 0o700)
    .then(() => openPrivateFile(file, 'append'))
    .catch((error: NodeJS.ErrnoException) => throwNamed(file, error));
  const stats = await handle.stat();
  if (stats.size === 0) await syncFolder(folder);
  return { file: await linesOf(handle), stats };
}

/** Names the journal and the cause, if the folder or its disk refuses to be written. */
function throwNamed(file: string, error: NodeJS.ErrnoException): never {
  const refusal = refusals[error.code ?? ''];
  if (refusal === undefined) throw error;
  const { code, why, fix } = refusal;
  throw new ProblemError([{ code, found: `the journal ${file} cannot be written: ${why}`, fix }]);
}

const makeWritable = 'make the folder and its files writable for this user; plan, drift and history only read them';
const readOnly = { code: 'backend-read-only', fix: makeWritable };
const full = { code: 'backend-full', fix: 'free disk space, then run the command again' };

const refusals: Readonly<Record<string, Pick<Required<Problem>, 'code' | 'fix'> & { why: string }>> = {
  EACCES: { ...readOnly, why: 'permission denied' },
  EPERM: { ...readOnly, why: 'permission denied' },
  EROFS: { ...readOnly, why: 'the file system is read-only' },
  ENOSPC: { ...full, why: 'no space is left on its disk' },
  EDQUOT: { ...full, why: 'the quota of its disk is used up' },
};

/** A new file survives a power cut only once its folder is on disk too. Some file systems cannot do this. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function isStillAt(file: string, { stats: { ino, dev } }: OpenJournal): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.ino === ino && found.dev === dev;
}

/** Writes the other lines to a new file, and adds the lines that another account has written meanwhile. */
async function dropLines(file: string, isDropped: (text: string) => boolean): Promise<void> {
  await using handle = await openIfThere(file);
  if (handle === undefined) return;
  let end = logStart;
  async function* kept(): AsyncGenerator<string> {
    for await (const batch of readLines(handle as FileHandle, end)) {
      if (batch.end.offset === end.offset) continue;
      end = batch.end;
      for (const [, text] of batch.lines) if (!isDropped(text)) yield `${text}\n`;
    }
  }
  await writeWholeFile(file, kept(), { mode: 0o600 });
  await removeIndex(file);
  const { file: added } = await openForAppend(file);
  for await (const { lines } of readLines(handle, end)) for (const [, text] of lines) await added.append(text);
  await added.close();
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await openPrivateFile(file, 'read');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Commands that only read need no package for locks. */
function machineLock() {
  return import('./machineLock.ts');
}

async function readDocument(file: string): Promise<StoredDocument | undefined> {
  await using handle = await openIfThere(file);
  return handle && { text: decodedText(await handle.readFile(), file), where: file };
}

const longestDocumentWaitMs = 60_000;

/** Takes a lock of its own: accounts that share the folder share its documents, and their locks do not exclude each other. */
async function updateDocument(file: string, update: DocumentUpdate, env: MachineVariables): Promise<void> {
  const { withMachineLock } = await machineLock();
  const options = { timeoutMs: longestDocumentWaitMs, command: 'webdata', folder: dirname(file) };
  await withMachineLock({ key: `document ${file}`, env }, options, async () => {
    const text = update(await readDocument(file));
    if (text === undefined) return;
    await makeFolder(dirname(file), 0o700);
    await writeWholeFile(file, text, { mode: 0o600, replacesLink: true });
  });
}
