/**
 * The state of a provider for one stack: configuration, connections, the resources that the program has declared so far, and the order of writes.
 * The engine runs one provider process for a preview and another one for the update.
 */

import { type FrontName, renderFix } from '../../src/base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { type Redact, redactor } from '../../src/client/redact.ts';
import { FrontRun, serverOf, siblingsOf } from '../../src/engine/doors/front.ts';
import { Announcements, type PlanTarget, type Print, planMessages } from './announcements.ts';
import { type Lookup, readConfiguration } from './configuration.ts';
import { DeclaredResources } from './declared.ts';
import { Declaring } from './declaring.ts';

export interface Stack {
  front: FrontName;
  redact: Redact;
  /** Shows a message to the user, redacted. */
  print: Print;
  announcements: Announcements;
  /** Everything that is read, planned and sent. */
  run: FrontRun<PlanTarget>;
  managerUrl: string | undefined;
  /** Equal for the same server. */
  server: string;
  declared: DeclaredResources;
  declaring: Declaring;
  /** Stops writes before their next call. A call that was sent is never abandoned: it may have been accepted and billed. */
  cancel(): void;
}

interface StackOptions {
  /** By default Pulumi. */
  front?: FrontName;
  print: Print;
  /** The process whose other providers may be for the same account. */
  program?: number | undefined;
  /** Hides secrets that the configuration does not know. */
  hide?: Redact;
}

/** @throws ProblemError for a configuration that cannot be used */
export function openStack(
  lookup: Lookup,
  { print, front = 'pulumi', program, hide = (text) => text }: StackOptions,
): Stack {
  const { config, secrets, ...options } = readConfiguration(lookup, process.env);
  const redactKnown = redactor(secrets);
  // Redaction by name may change a part of a secret, which would not be recognized any more.
  const redact: Redact = (text) => redactKnown(hide(text));
  const printRedacted: Print = (text, about) => print(redact(text), about);
  const announcements = new Announcements(printRedacted);
  const stopping = new AbortController();
  const server = serverOf(config);
  return {
    front,
    redact,
    print: printRedacted,
    announcements,
    run: new FrontRun(config, {
      ...options,
      front,
      stop: stopping.signal,
      remark: (text) => void printRedacted(text, 'remark'),
      messages: planMessages(front, printRedacted, announcements),
    }),
    managerUrl: config.manager.url,
    server,
    declared: new DeclaredResources(config.declared, program === undefined ? undefined : siblingsOf(program, server)),
    declaring: new Declaring(),
    cancel: () => stopping.abort(new ProblemError([cancelled])),
  };
}

const cancelled: Problem = {
  code: 'cancelled',
  found: 'cancelled before this call was sent',
  ...renderFix('run', ({ apply }) => `${apply} again: it continues from the state that was reached`),
};
