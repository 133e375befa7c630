/**
 * The state of a provider for one stack: configuration, connections, the resources that the program has declared so far, and the order of writes.
 * The engine runs one provider process for a preview and another one for the update.
 */

import type { Backend, LockOptions } from '../../src/backend/backend.ts';
import { withMachineLock } from '../../src/backend/folder/machineLock.ts';
import { ciJobUrl, type LockHolder, waitingForLock } from '../../src/backend/holder.ts';
import { openBackend } from '../../src/backend/open.ts';
import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import { accountView } from '../../src/kinds/accountView.ts';
import type { AnyKind } from '../../src/kinds/kind.ts';
import { type Redact, redactor } from '../../src/service/redact.ts';
import { accountKey, formerAccountKey } from '../../src/sync/config/accountKey.ts';
import type { Config } from '../../src/sync/config/config.ts';
import { openSession } from '../../src/sync/session.ts';
import type { Session } from '../../src/sync/sessionViews.ts';
import type { Print } from './announcement.ts';
import { type Lookup, readConfiguration } from './configuration.ts';
import { createOpenCalls, type OpenCalls } from './openCalls.ts';
import { createPlanner, type Planner } from './planner.ts';
import type { Resource } from './resource.ts';
import { type Lock, sharedLock } from './sharedLock.ts';
import { createWriteScheduler, type WriteScheduler } from './writeScheduler.ts';

export interface Stack {
  redact: Redact;
  /** Shows a message to the user, redacted. */
  print: Print;
  /** For planning: keeps listings, and expects planned moves, until something is written. */
  planning: Session;
  /** For reading and writing the live state. */
  live: Session;
  openCalls: OpenCalls;
  managerUrl: string | undefined;
  declared: DeclaredResources;
  scheduler: WriteScheduler;
  planner: Planner;
  cancellation: Cancellation;
}

/** Stops writes before their next call. A call that was sent is never abandoned: it may have been accepted and billed. */
interface Cancellation {
  cancel(): void;
  /** @throws ProblemError after `cancel` */
  check(): void;
  /** Aborted by `cancel`, with a ProblemError. */
  signal: AbortSignal;
}

/** `hide` hides secrets that the configuration does not know. @throws ProblemError for a configuration that cannot be used */
export function openStack(lookup: Lookup, print: Print, hide: Redact = (text) => text): Stack {
  const { config, overrides, resend, lockTimeoutMs, secrets } = readConfiguration(lookup, process.env);
  const redactKnown = redactor(secrets);
  // Redaction by name may change a part of a secret, which would not be recognized any more.
  const redact: Redact = (text) => redactKnown(hide(text));
  const cancellation = createCancellation();
  const waitingLimits = {
    timeoutMs: lockTimeoutMs,
    signal: cancellation.signal,
    onWait: (holder?: LockHolder) => print(redact(waitingForLock(holder, lockTimeoutMs)), 'remark'),
  };
  const { lock, beforeWrite } = lockOf(config, waitingLimits);
  const live = openSession(config, { overrides, beforeWrite });
  const planning = live.withFreshAccount();
  const shown = { redact, print: ((text, about) => print(redact(text), about)) satisfies Print, planning };
  const openCalls = createOpenCalls({ live, settleMs: config.service.profile.settleSeconds * 1000, resend });
  return {
    ...shown,
    live,
    openCalls,
    managerUrl: config.manager.url,
    declared: createDeclaredResources(config.declared),
    scheduler: createWriteScheduler(sharedLock(lock, () => live.view(accountView).forget())),
    planner: createPlanner({ ...shown, openCalls }),
    cancellation,
  };
}

/**
 * Returns the lock of the backend; without a configured backend, the lock of this machine. `beforeWrite` rejects if the lock is lost, also where
 * this process was paused and has not noticed yet.
 */
function lockOf(
  config: Config,
  waiting: Pick<LockOptions, 'timeoutMs' | 'signal' | 'onWait'>,
): { lock: Lock; beforeWrite?: () => Promise<void> } {
  const folder = process.cwd();
  const account = accountKey(config);
  const options = { ...waiting, command: 'pulumi', folder, job: ciJobUrl(process.env) };
  const { backend: address } = config;
  if (address === undefined) return { lock: (action) => withMachineLock(account, options, action) };
  let opened: Promise<Backend> | undefined;
  let check: (() => Promise<void>) | undefined;
  return {
    async lock(action) {
      opened ??= openBackend(address, { folder, env: process.env, account, formerAccount: formerAccountKey(config) });
      return (await opened).withLock(options, async (lost, assertHeld) => {
        check = assertHeld;
        try {
          return await action(lost);
        } finally {
          // Some managers are read with a PUT, which needs no lock.
          check = undefined;
        }
      });
    },
    beforeWrite: async () => check?.(),
  };
}

function createCancellation(): Cancellation {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    cancel: () => controller.abort(new ProblemError([cancelled])),
    check: () => signal.throwIfAborted(),
    signal,
  };
}

const cancelled: Problem = {
  code: 'cancelled',
  found: 'cancelled before this call was sent',
  fix: 'run `pulumi up` again: it continues from the state that was reached',
};

interface DeclaredResources {
  of(kind: AnyKind): readonly Resource[];
  has(resource: Resource): boolean;
  add(resource: Resource): void;
}

/** `declared` is the list from which a session takes the neighbours of a resource. */
function createDeclaredResources(declared: Config['declared'][number][]): DeclaredResources {
  const resources = new Map<string, Resource>();
  const keyOf = ({ kind, key }: Resource) => `${kind.name} ${key}`;
  const has = (resource: Resource) => resources.has(keyOf(resource));
  return {
    of: (kind) => [...resources.values()].filter((resource) => resource.kind === kind),
    has,
    add(resource) {
      if (has(resource)) return;
      resources.set(keyOf(resource), resource);
      const { kind, key, spec } = resource;
      declared.push({ kind: kind.name, collection: kind.collection, name: key, definition: kind, spec });
    },
  };
}

/** The stack of one provider, or the problems of its configuration. */
export interface OpenedStack {
  /** @throws ProblemError for a configuration that cannot be used */
  stack(): Stack;
  redact: Redact;
}
