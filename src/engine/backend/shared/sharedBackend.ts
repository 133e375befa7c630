/** A backend over a store that many machines use. Each account has a folder of keys of its own. */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { once } from '../../../base/values/once.ts';
import { parsedJson } from '../../../base/values/plain.ts';
import {
  type Backend,
  type DocumentUpdate,
  type LogReader,
  type LogWriter,
  lineOfFailover,
  logSummary,
} from '../backend.ts';
import { lockLost } from '../holder.ts';
import type { ObjectStore, StoredObject } from '../store.ts';
import { compact, rewrite } from './compaction.ts';
import { acquireLease, createOwn, idleTime, type Lease, leaseHolder } from './lease.ts';
import { documentKey, documentText, parseDocument } from './objects.ts';
import { entriesAfter } from './sharedLog.ts';
import { createSharedWriter } from './sharedWriter.ts';

interface SharedOptions {
  /** The key of the account. */
  account: string;
  leaseMs?: number | undefined;
}

export function createSharedBackend(whole: ObjectStore, { account, leaseMs }: SharedOptions): Backend {
  const store = below(`${accountFolder(account)}/`, whole);
  let lease: Lease | undefined;
  let writer: LogWriter | undefined;
  /** Documents that were read under the lock. */
  const readDocuments = new Map<string, StoredObject | undefined>();
  const heldLease = (): Lease => {
    if (lease === undefined) throw new TypeError('a shared backend is written only with its lock');
    return lease;
  };
  return {
    account,
    address: whole.address,
    logName: whole.address,
    isShared: true,
    async withLock(options, action) {
      const taken = await acquireLease(store, { ...options, leaseMs });
      lease = taken;
      try {
        // A failover while the action runs is one since this run.
        const timeline = await store.timeline?.();
        const result = await action(taken.lost, () => taken.assertHeld());
        await rememberTimeline(store, timeline).catch(() => undefined);
        return result;
      } finally {
        await writer?.close().catch(() => undefined);
        if (!taken.lost.aborted && isWorthCompacting(taken)) await compact(store, taken.written).catch(() => undefined);
        await taken.release();
        lease = undefined;
        writer = undefined;
        readDocuments.clear();
      }
    },
    lockHolder: () => leaseHolder(store),
    async breakLock(options) {
      await (await acquireLease(store, { ...options, leaseMs, isForced: true })).release();
    },
    openLog: async () => openReader(store, () => lease),
    async appendToLog() {
      writer ??= createSharedWriter(heldLease());
      return writer;
    },
    async dropLines(isDropped) {
      await heldLease().assertHeld();
      await rewrite(store, isDropped);
      await store.remove([summaryKey]);
    },
    async readDocument(name) {
      const reader = lease;
      const found = await store.read(documentKey(name));
      if (reader !== undefined && reader === lease) readDocuments.set(name, found);
      const where = `${store.address}/${documentKey(name)}`;
      return found && { text: parseDocument(found.text, where).text, where };
    },
    async *readDocuments(name) {
      for await (const folder of foldersIn(whole)) {
        const key = `${folder}/${documentKey(name)}`;
        const found = await whole.read(key);
        const where = `${whole.address}/${key}`;
        if (found !== undefined) yield { text: parseDocument(found.text, where).text, where };
      }
    },
    async updateDocument(name, update) {
      const known = readDocuments.has(name) ? { object: readDocuments.get(name) } : undefined;
      readDocuments.delete(name);
      await updateDocument(store, heldLease(), name, update, known);
    },
    risk: async () => store.risk?.(),
    close: () => whole.close(),
  };
}

const timelineKey = 'timeline';

/** Reports whether the store has failed over since the last run: what was written shortly before may be lost. */
async function hasFailedOver(store: ObjectStore): Promise<boolean> {
  const timeline = await store.timeline?.();
  const known = timeline === undefined ? undefined : await store.read(timelineKey);
  return known !== undefined && known.text !== String(timeline);
}

async function rememberTimeline(store: ObjectStore, timeline: number | undefined): Promise<void> {
  if (timeline === undefined) return;
  const known = await store.read(timelineKey);
  const text = String(timeline);
  if (known === undefined) await store.create(timelineKey, text);
  else if (known.text !== text) await store.replace(timelineKey, text, known.version);
}

/** Returns a folder name that shows the account and is unique for its key. */
function accountFolder(account: string): string {
  const shown = account.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'account';
  return `${shown.slice(0, 60)}-${createHash('sha256').update(account).digest('hex').slice(0, 8)}`;
}

/** Yields the folders of all accounts. Lists one key of each. */
async function* foldersIn(store: ObjectStore): AsyncIterable<string> {
  for (let after = ''; ; ) {
    const first = await firstKey(store, after);
    if (first === undefined) return;
    const [folder = '', inFolder] = first.split('/', 2);
    // The character after a slash: the next key is one of another folder. The object that probes the server is in none.
    after = inFolder === undefined ? first : `${folder}0`;
    if (inFolder !== undefined) yield folder;
  }
}

async function firstKey(store: ObjectStore, after: string): Promise<string | undefined> {
  for await (const key of store.list('', { after })) return key;
  return undefined;
}

function below(prefix: string, store: ObjectStore): ObjectStore {
  return {
    address: `${store.address}/${prefix.slice(0, -1)}`,
    read: (key) => store.read(prefix + key),
    create: (key, text) => store.create(prefix + key, text),
    replace: (key, text, version) => store.replace(prefix + key, text, version),
    remove: (keys) => store.remove(keys.map((key) => prefix + key)),
    async *list(keys, { after } = {}) {
      const options = after === undefined ? {} : { after: prefix + after };
      for await (const key of store.list(prefix + keys, options)) yield key.slice(prefix.length);
    },
    timeline: async () => store.timeline?.(),
    risk: async () => store.risk?.(),
    close: () => store.close(),
  };
}

/** A long run is compacted at once, and short ones now and then. */
function isWorthCompacting({ fence, written }: Lease): boolean {
  return written.length > 16 || (written.length > 1 && fence % 4 === 0);
}

const summaryKey = 'summary';
const summarySchema = logSummary.extend({
  format: z.literal('webdata.log-summary/1'),
  nonce: z.string(),
  end: z.object({ offset: z.int().nonnegative(), lines: z.int().nonnegative() }),
});

/** Fewer entries are read fast enough. */
const summarizedEntries = 16;

function openReader(store: ObjectStore, heldLease: () => Lease | undefined): LogReader {
  const mayLack = once(() => hasFailedOver(store));
  const storedSummary = once(() => store.read(summaryKey));
  return {
    async *read(from) {
      let { lines: count } = from;
      for await (const entries of entriesAfter(store, from.offset, { known: heldLease()?.written })) {
        const lines = entries.flatMap((entry) => entry.lines).map((text) => [++count, text] as const);
        const offset = entries.at(-1)?.at;
        if (offset !== undefined) yield { lines, end: { offset, lines: count } };
      }
      if (await mayLack()) yield { lines: [[count + 1, lineOfFailover]], end: from };
    },
    // Its entries are small objects or a few segments, which are read as a whole.
    positionNearEnd: async () => undefined,
    async readSummary() {
      const found = await storedSummary();
      return summarySchema.safeParse(parsedJson(found?.text ?? '')).data;
    },
    async writeSummary(from, end, makeSummary) {
      // Only a holder of the lock writes, because a plan may have no permission to.
      if (heldLease() === undefined || end.offset - from.offset < summarizedEntries) return;
      const text = JSON.stringify({ format: 'webdata.log-summary/1', nonce: randomUUID(), end, ...makeSummary() });
      const known = await storedSummary();
      const write = known ? store.replace(summaryKey, text, known.version) : store.create(summaryKey, text);
      await write.catch(() => undefined);
    },
    ageMs: async () => ((await mayLack()) ? 0 : (heldLease()?.idleMs ?? idleTime(store))),
    async close() {},
  };
}

/** Replaces a document, unless a later holder of the lock has written it. A document that has changed since it was `read` is read again. */
async function updateDocument(
  store: ObjectStore,
  lease: Lease,
  name: string,
  update: DocumentUpdate,
  read: { object: StoredObject | undefined } | undefined,
): Promise<void> {
  const key = documentKey(name);
  const where = `${store.address}/${key}`;
  for (let last = read; ; last = undefined) {
    await lease.assertHeld();
    const known = last === undefined ? await store.read(key) : last.object;
    const current = known && parseDocument(known.text, where);
    if (current !== undefined && current.fence > lease.fence) throw lockLost();
    const text = update(current && { text: current.text, where });
    if (text === undefined) return;
    const whole = documentText(lease.fence, randomUUID(), text);
    const isWritten = known
      ? (await store.replace(key, whole, known.version)) !== undefined
      : await createOwn(store, key, whole);
    if (isWritten) return;
  }
}
