/**
 * What one provider process holds for its stack: the configuration, the connections, the resources that the program has declared
 * so far, and whose turn it is to write. The engine runs one process for a preview and another one for the update.
 */
import { setTimeout } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import type { Context, Recorder } from '../../src/kinds/context.ts';
import type { AnyKind } from '../../src/kinds/kind.ts';
import { fromKinds, kinds } from '../../src/kinds/registry.ts';
import { type Redact, redactor } from '../../src/service/redact.ts';
import { withLock } from '../../src/sync/run/lock.ts';
import { openSession, type Session } from '../../src/sync/session.ts';
import { type Lookup, readConfiguration } from './configuration.ts';

export interface Stack {
  redact: Redact;
  /** For planning: listings are kept, and moves that were planned are expected, until something is written. */
  planning: Session;
  /** For reading and writing: the account as it is. */
  live: Session;
  managerUrl: string | undefined;
  registry: Registry;
  turns: Turns;
}

/** @throws ProblemError for what is wrong with the configuration */
export function openStack(lookup: Lookup): Stack {
  const { config, overrides, secrets } = readConfiguration(lookup, process.env);
  const live = openSession(config, { overrides });
  return {
    redact: redactor(secrets),
    planning: live.withFreshAccount(),
    live,
    managerUrl: config.manager.url,
    registry: createRegistry(config.declared),
    turns: createTurns((action) =>
      withLock(config, { timeoutMs: lockTimeoutMs, command: 'pulumi', folder: process.cwd() }, action),
    ),
  };
}

const lockTimeoutMs = 15_000;

export interface Registry {
  /** The specs of this kind that are declared, by a name that is the same for the same spec. */
  of(kind: AnyKind): ReadonlyMap<string, unknown>;
  add(kind: AnyKind, spec: unknown): void;
}

/**
 * Handlers are not told the name of a resource, so a resource is known by what it declares. `declared` is what a session takes
 * the neighbours of a resource from.
 */
function createRegistry(
  declared: { kind: string; collection: string; name: string; definition: AnyKind; spec: unknown }[],
): Registry {
  const of = (kind: AnyKind) =>
    new Map(declared.filter(({ definition }) => definition === kind).map(({ name, spec }) => [name, spec]));
  return {
    of,
    add(definition, spec) {
      const name = nameOf(spec);
      if (of(definition).has(name)) return;
      declared.push({ kind: definition.name, collection: definition.collection, name, definition, spec });
    },
  };
}

export function nameOf(spec: unknown): string {
  return JSON.stringify(spec);
}

/** Whose turn it is. Handlers of one concurrencyKey read and write one after the other, whichever resource they are for. */
export interface Turns {
  /** Whether anything may have been written by this process: then nothing that was read before counts. */
  hasWritten(): boolean;
  /** A check or a diff, while the program is declaring resources. */
  declaring<T>(action: () => Promise<T>): Promise<T>;
  /** Reads while nobody writes. */
  reading<T>(concurrencyKey: string, action: () => Promise<T>): Promise<T>;
  /**
   * Writes, once the program has declared what it can. An action that could do nothing for want of what another resource may
   * still give is tried again after each of those. `lost` aborts when another process took the machine's lock over.
   */
  writing<T>(
    concurrencyKey: string,
    action: (lost: AbortSignal) => Promise<T>,
    mayWait: (error: unknown) => boolean,
  ): Promise<T>;
}

/** The program declares its independent resources at once; writing begins when it has paused for so long. */
const quietMs = 150;
/** How long a resource waits for others to be declared that may give what it lacks, when nobody is at work. */
const patienceMs = 1_000;
const pollMs = 25;

function createTurns(locked: <T>(action: (lost: AbortSignal) => Promise<T>) => Promise<T>): Turns {
  const queues = new Map<string, LimitFunction>();
  let [declaringNow, workingNow, lastActivity] = [0, 0, 0];
  /** Counts what may help a resource that waits: declarations, and writes that ended. */
  let events = 0;
  let written = false;

  const inTurn = <T>(concurrencyKey: string, action: () => Promise<T>): Promise<T> => {
    const queue = queues.get(concurrencyKey) ?? pLimit(1);
    queues.set(concurrencyKey, queue);
    return queue(action);
  };

  async function whileBusy(isBusy: () => boolean): Promise<void> {
    while (isBusy()) await setTimeout(pollMs);
  }

  const isDeclaring = () => declaringNow > 0 || Date.now() - lastActivity < quietMs;

  async function nextEvent(seen: number): Promise<boolean> {
    const start = Date.now();
    await whileBusy(
      () => events === seen && (workingNow > 0 || Date.now() - Math.max(start, lastActivity) < patienceMs),
    );
    return events > seen;
  }

  async function attempt<T>(concurrencyKey: string, action: (lost: AbortSignal) => Promise<T>): Promise<T> {
    workingNow++;
    try {
      return await inTurn(concurrencyKey, () => {
        written = true;
        return locked(action);
      });
    } finally {
      workingNow--;
    }
  }

  return {
    hasWritten: () => written,
    async declaring(action) {
      declaringNow++;
      try {
        return await action();
      } finally {
        declaringNow--;
        events++;
        lastActivity = Date.now();
      }
    },
    reading: inTurn,
    async writing(concurrencyKey, action, mayWait) {
      for (;;) {
        await whileBusy(isDeclaring);
        const seen = events;
        try {
          const done = await attempt(concurrencyKey, action);
          events++;
          return done;
        } catch (error) {
          if (!mayWait(error) || !(await nextEvent(seen))) throw error;
        }
      }
    },
  };
}

/** Problems that may be gone once other resources of the program are declared or applied. */
const resolvableCodes = fromKinds(() => new Set(kinds.flatMap(({ resolvable = [] }) => resolvable)));

export function mayBeResolved(problems: readonly Problem[]): boolean {
  return problems.length > 0 && problems.every(({ code }) => resolvableCodes().has(code));
}

export function isWaiting(error: unknown): boolean {
  return error instanceof ProblemError && mayBeResolved(error.problems);
}

export interface ContextOptions {
  recorder?: Recorder | undefined;
  signal?: AbortSignal | undefined;
  /** Of a resource that goes: those declared like it are others too. */
  going?: boolean;
}

/** What a kind's handlers are given for a resource of this spec. */
export function contextFor(session: Session, kind: AnyKind, spec: unknown, options: ContextOptions = {}): Context {
  const { recorder, signal, going = false } = options;
  const resource = { definition: kind, name: going ? '' : nameOf(spec) };
  const context = recorder === undefined ? session.contextFor(resource) : session.contextFor(resource, { recorder });
  return { ...context, signal };
}
