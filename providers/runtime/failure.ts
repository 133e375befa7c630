/** The error that a handler throws: its text is that of the CLI, and it shows no stack trace. */
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import type { Redact } from '../../src/client/redact.ts';
import { formatFor } from '../core/problems.ts';

/** The SDK's shim reads these from an error of create or update: with an `id`, the engine keeps `properties` in the state. */
interface KeptState {
  id: string;
  properties: object;
}

/** The shim prints the stack of an error to the terminal. The engine prints the message after it. */
export class Failure extends Error {
  override name = 'webdata';
  override stack = '';
  id?: string;
  properties?: object;
  reasons?: string[];

  constructor(problems: readonly Problem[], redact: Redact, kept?: KeptState) {
    super(redact(formatFor('pulumi', problems)));
    if (kept === undefined) return;
    Object.assign(this, kept);
    // The engine shows the reasons instead of the message.
    this.reasons = [
      this.message,
      'calls that succeeded are kept in the state: the next `pulumi up` continues from there',
    ];
  }

  /** The engine prints this before the resource and the message, so it repeats neither. */
  override toString(): string {
    return 'webdata: failed; the message of the resource has the cause';
  }
}
