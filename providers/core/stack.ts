/**
 * The state of a provider for one stack: configuration, connections, the resources that the program has declared so far, and the order of writes.
 * The engine runs one provider process for a preview and another one for the update.
 */

import { type FrontName, renderFix } from '../../src/base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { type Redact, redactor } from '../../src/client/redact.ts';
import { type LockHolder, serverOf, waitingForLock } from '../../src/engine/doors/backend.ts';
import { FrontRun, pauseText, siblingsOf } from '../../src/engine/doors/run.ts';
import type { Session } from '../../src/engine/doors/session.ts';
import { openSession } from '../../src/engine/run/session.ts';
import type { Print } from './announcement.ts';
import { type Announcements, createAnnouncements } from './announcements.ts';
import { type Lookup, readConfiguration } from './configuration.ts';
import { createDeclaredResources, type DeclaredResources } from './declared.ts';
import { createDeclaring, type Declaring } from './declaring.ts';
import { createPlanner, type Planner } from './preview.ts';
import type { RunNotes } from './runNotes.ts';

export interface Stack {
  front: FrontName;
  redact: Redact;
  /** Shows a message to the user, redacted. */
  print: Print;
  announcements: Announcements;
  /** For planning: keeps listings, and expects planned moves, until something is written. */
  planning: Session;
  /** For reading and writing the live state. */
  live: Session;
  /** Everything that is sent. */
  run: FrontRun;
  /** The time in ms that listings may lag behind a write. */
  lagMs: number;
  /** True if accepted moves of earlier updates may be sent again. */
  resend: boolean;
  managerUrl: string | undefined;
  declared: DeclaredResources;
  declaring: Declaring;
  planner: Planner;
  cancellation: Cancellation;
}

/** Stops writes before their next call. A call that was sent is never abandoned: it may have been accepted and billed. */
interface Cancellation {
  cancel(): void;
  /** Aborted by `cancel`, with a ProblemError. */
  signal: AbortSignal;
}

interface StackOptions {
  /** By default Pulumi. */
  front?: FrontName;
  print: Print;
  /** The messages that the processes of this run of the CLI have shown. */
  notes: RunNotes;
  /** The process whose other providers may be for the same account. */
  program?: number | undefined;
  /** Hides secrets that the configuration does not know. */
  hide?: Redact;
}

/** @throws ProblemError for a configuration that cannot be used */
export function openStack(
  lookup: Lookup,
  { print, notes, front = 'pulumi', program, hide = (text) => text }: StackOptions,
): Stack {
  const { config, overrides, resend, lockTimeoutMs, secrets } = readConfiguration(lookup, process.env);
  const redactKnown = redactor(secrets);
  // Redaction by name may change a part of a secret, which would not be recognized any more.
  const redact: Redact = (text) => redactKnown(hide(text));
  const cancellation = createCancellation();
  const waiting = {
    timeoutMs: lockTimeoutMs,
    onWait: (holder?: LockHolder) => void print(redact(waitingForLock(holder, lockTimeoutMs)), 'remark'),
  };
  const stop = cancellation.signal;
  const run = new FrontRun(config, { front, waiting, stop, resend, session: () => live });
  const live = openSession(config, {
    overrides,
    readOnly: false,
    beforeWrite: run.assertHeld,
    onPause: (pause) => void print(redact(pauseText(pause)), 'remark'),
  });
  const planning = live.withFreshAccount();
  const printRedacted: Print = (text, about) => print(redact(text), about);
  const announcements = createAnnouncements(printRedacted, notes);
  const shown = { redact, print: printRedacted, announcements, planning };
  return {
    ...shown,
    front,
    live,
    run,
    lagMs: config.service.profile.settleSeconds * 1000,
    resend,
    managerUrl: config.manager.url,
    declared: createDeclaredResources(
      config.declared,
      program === undefined ? undefined : siblingsOf(program, serverOf(config)),
    ),
    declaring: createDeclaring(),
    planner: createPlanner({ ...shown, front, run }),
    cancellation,
  };
}

function createCancellation(): Cancellation {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    cancel: () => controller.abort(new ProblemError([cancelled])),
    signal,
  };
}

const cancelled: Problem = {
  code: 'cancelled',
  found: 'cancelled before this call was sent',
  ...renderFix('run', ({ apply }) => `${apply} again: it continues from the state that was reached`),
};

/** The stack of one provider, or the problems of its configuration. */
export interface OpenedStack {
  /** @throws ProblemError for a configuration that cannot be used */
  stack(): Stack;
  redact: Redact;
}
