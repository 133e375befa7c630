/**
 * The lock of a shared backend. An object names the holder, who renews it; it expires by the clock of the store. The log keeps a paused
 * holder from writing: taking the lock adds an entry to it, whose position is the fencing number. A holder writes each entry only at the
 * next free position, so a holder that lost the lock collides with the entry of the next one.
 */
import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import type { LockOptions } from '../backend.ts';
import { type LockHolder, leaseExpired, locked, lockLost, sleepUnless, thisHolder } from '../holder.ts';
import type { ObjectStore, StoredObject } from '../store.ts';
import { type Entry, entryKey, entryText, type LockState, lockKey, lockText, parseLock } from './objects.ts';
import { headOf } from './sharedLog.ts';

/** A lock that was not renewed for this long may be taken over. */
const defaultLeaseMs = 12_000;
/** Ages of objects may be known in whole seconds only. */
const marginMs = 1_000;
const pollMs = 400;

interface LeaseOptions extends LockOptions {
  leaseMs?: number | undefined;
  /** Takes the lock from its holder. */
  isForced?: boolean;
}

/** Takes the lock, also one that has expired. @throws ProblemError `locked` if another run holds it for longer than `timeoutMs` */
export async function acquireLease(store: ObjectStore, options: LeaseOptions): Promise<Lease> {
  const deadline = Date.now() + options.timeoutMs;
  const hasExpired = expiry();
  let hasWaited = false;
  for (;;) {
    const found = await store.read(lockKey);
    const state = found && readState(found, store, options);
    if (found === undefined || state === undefined || options.isForced || hasExpired(state, found)) {
      const lease = await tryToTake(store, options, found, state);
      if (lease !== undefined) return lease;
    } else if (Date.now() >= deadline) {
      throw locked(await holderOf(store, found, state), options.timeoutMs);
    } else if (!hasWaited) {
      hasWaited = true;
      options.onWait?.(await holderOf(store, found, state));
    }
    // Waiting runs should not ask all at once.
    await sleepUnless(options.signal, pollMs * (0.5 + Math.random()));
  }
}

/** Returns the holder; undefined if the lock is free or has expired. @throws ProblemError if the object is not a lock */
export async function leaseHolder(store: ObjectStore): Promise<LockHolder | undefined> {
  const found = await store.read(lockKey);
  const state = found && parseLock(found.text, `${store.address}/${lockKey}`);
  return found && state && isHeld(state, found) ? holderOf(store, found, state) : undefined;
}

/** Returns undefined for a damaged lock that is replaced. */
function readState({ text }: StoredObject, store: ObjectStore, { isForced }: LeaseOptions): LockState | undefined {
  try {
    return parseLock(text, `${store.address}/${lockKey}`);
  } catch (error) {
    const isDamaged = error instanceof ProblemError && error.problems[0]?.code === 'damaged-backend';
    if (isForced && isDamaged) return undefined;
    throw error;
  }
}

/** Returns the least time in ms since a run wrote to the log. A holder renews the lock less often than it writes. */
export async function idleTime(store: ObjectStore): Promise<number> {
  const found = await store.read(lockKey);
  return found === undefined ? 0 : idleMs(found, parseLock(found.text, `${store.address}/${lockKey}`));
}

function idleMs({ ageMs }: StoredObject, { holder, leaseMs }: LockState): number {
  return Math.max(0, holder === undefined ? ageMs : ageMs - leaseMs);
}

function isHeld({ holder, leaseMs }: LockState, { ageMs }: StoredObject): boolean {
  return holder !== undefined && ageMs <= leaseMs + marginMs;
}

/**
 * Returns a function that reports whether the lock is free. The clock of a store may have been set back, so that the lock seems to be from the
 * future: then the time counts for which this run has seen no renewal.
 */
function expiry(): (state: LockState, found: StoredObject) => boolean {
  let seen: { version: string; at: number } | undefined;
  return (state, found) => {
    const { version, ageMs } = found;
    if (seen?.version !== version) seen = { version, at: performance.now() };
    return !isHeld(state, { ...found, ageMs: ageMs < 0 ? performance.now() - seen.at : ageMs });
  };
}

async function holderOf(
  store: ObjectStore,
  { ageMs }: StoredObject,
  { holder, fence }: LockState,
): Promise<LockHolder | undefined> {
  const entry = fence === undefined ? undefined : await store.read(entryKey(fence));
  return holder && { ...holder, since: new Date(Date.now() - (entry?.ageMs ?? ageMs)).toISOString() };
}

async function tryToTake(
  store: ObjectStore,
  options: LeaseOptions,
  found: StoredObject | undefined,
  before: LockState | undefined,
): Promise<Lease | undefined> {
  const { leaseMs = defaultLeaseMs } = options;
  const hint = before?.head ?? 0;
  const holder = thisHolder(options);
  const state: LockState = { nonce: randomUUID(), holder, leaseMs, renewals: 0, head: hint };
  const startedAt = now();
  const text = lockText(state);
  const taking = found === undefined ? store.create(lockKey, text) : store.replace(lockKey, text, found.version);
  // The log does not grow while its lock is free, so its end can be found at the same time.
  const isFree = before !== undefined && before.holder === undefined;
  const [taken, endOfFree] = await Promise.all([taking, isFree ? headOf(store, hint) : undefined]);
  if (taken === undefined) return undefined;
  const mark = entryText({ nonce: state.nonce, lock: holder }, []);
  let fence = (endOfFree ?? (await headOf(store, hint))) + 1;
  // The holder that lost the lock may still be writing.
  while (!(await createOwn(store, entryKey(fence), mark))) fence++;
  const idle = found && before ? idleMs(found, before) : 0;
  const lease = new Lease(store, { ...state, fence, head: fence }, taken, startedAt, idle);
  try {
    await lease.renew();
    // The answer may have taken longer than the lease.
    await lease.assertHeld();
    return lease;
  } catch (error) {
    // Another run may have taken the lock meanwhile.
    if (lease.lost.aborted) return undefined;
    await lease.release();
    throw error;
  }
}

/** Creates an object. Returns false if the key has another text. */
export async function createOwn(store: ObjectStore, key: string, text: string): Promise<boolean> {
  if ((await store.create(key, text)) !== undefined) return true;
  return (await store.read(key))?.text === text;
}

/** One moment on two clocks: the first stands still while the machine sleeps, and people may set the second. */
interface Moment {
  monotonic: number;
  wall: number;
}

function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Returns the longer time: an unnecessary renewal does no harm. */
function elapsedSince({ monotonic, wall }: Moment): number {
  return Math.max(performance.now() - monotonic, Date.now() - wall);
}

export class Lease {
  readonly fence: number;
  /** The least time in ms for which no other run had written to the log when this one took the lock. */
  readonly idleMs: number;
  /** The entries that this holder has written. The first one is that of the lock. */
  readonly written: Entry[];
  readonly #store: ObjectStore;
  readonly #lost = new AbortController();
  #state: LockState;
  #version: string;
  #renewedAt: Moment;
  #renewing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;

  constructor(
    store: ObjectStore,
    state: LockState & { fence: number },
    version: string,
    renewedAt: Moment,
    idleMs = 0,
  ) {
    this.#store = store;
    this.idleMs = idleMs;
    this.#state = state;
    this.#version = version;
    this.#renewedAt = renewedAt;
    this.fence = state.fence;
    this.written = [{ at: state.fence, lines: [], isLock: true }];
    this.#scheduleRenewal();
  }

  /** Aborted, with a ProblemError, when the lock is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Adds an entry to the log. @throws ProblemError if another run has taken the lock */
  async write(lines: readonly string[]): Promise<void> {
    await this.assertHeld();
    const at = this.#state.head + 1;
    const isOwn = await createOwn(this.#store, entryKey(at), entryText({ nonce: randomUUID() }, lines));
    if (!isOwn) throw this.#lose(lockLost());
    this.#state = { ...this.#state, head: at };
    this.written.push({ at, lines: [...lines], isLock: false });
    // The process may have been paused while it waited for the answer, and must then not send a call.
    await this.assertHeld();
  }

  /** @throws ProblemError if the lock is lost, or may be because it was not renewed in time */
  async assertHeld(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    if (this.#isReleased) throw lockLost();
    const { leaseMs } = this.#state;
    if (elapsedSince(this.#renewedAt) < leaseMs / 2) return;
    await this.renew();
    if (elapsedSince(this.#renewedAt) >= leaseMs) throw this.#lose(leaseExpired(this.#store.address));
  }

  renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    const startedAt = now();
    const state = { ...this.#state, renewals: this.#state.renewals + 1 };
    let version: string | undefined;
    try {
      version = await this.#replaceOwn(state);
    } catch (error) {
      if (elapsedSince(this.#renewedAt) >= state.leaseMs) throw this.#lose(leaseExpired(this.#store.address));
      throw error;
    }
    if (version === undefined) throw this.#lose(lockLost());
    this.#version = version;
    this.#renewedAt = startedAt;
    this.#state = { ...this.#state, renewals: state.renewals };
  }

  /** Writes the lock. Returns undefined if another run has taken it. */
  async #replaceOwn(state: LockState): Promise<string | undefined> {
    for (;;) {
      const version = await this.#store.replace(lockKey, lockText(state), this.#version);
      if (version !== undefined) return version;
      const found = await this.#store.read(lockKey);
      if (found === undefined || found.version === this.#version || !found.text.includes(state.nonce)) return undefined;
      // An earlier renewal was carried out, but all its answers were lost.
      this.#version = found.version;
    }
  }

  #scheduleRenewal(): void {
    const attempt = () => this.renew().catch(() => undefined);
    this.#timer = setTimeout(async () => {
      await attempt();
      if (!this.#lost.signal.aborted && this.#timer !== undefined) this.#scheduleRenewal();
    }, this.#state.leaseMs / 3);
    this.#timer.unref();
  }

  #lose(why: ProblemError): ProblemError {
    this.#lost.abort(why);
    return why;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Frees the lock. If that fails, the lock expires. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#stop();
    await this.#renewing?.catch(() => undefined);
    if (this.#lost.signal.aborted) return;
    const { holder: _, ...free } = this.#state;
    await this.#replaceOwn({ ...free, renewals: free.renewals + 1 }).catch(() => undefined);
  }
}
