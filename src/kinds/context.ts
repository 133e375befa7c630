/** What handlers are given besides the declaration: the service, the account as it was listed, and who to tell. */

import type { Manager } from '../service/areas/manager/manager.ts';
import type { Client } from '../service/client.ts';
import type { TriggersClient } from '../triggers/client.ts';
import type { Call, Seen } from './call.ts';
import { createRegisteredView, type RegisteredView } from './registered/view.ts';
import { type AccountView, createAccountView } from './zoneIpAllocation/accountView.ts';

/** The live state as it was last read. What is planned is expected in the views; what is written makes them read again. */
export interface Views {
  account: AccountView;
  registered: RegisteredView;
}

export interface ViewOptions {
  triggers(): TriggersClient;
  client(): Client;
  /** The time in milliseconds for which reads may lag behind a write. */
  settleMs: number;
  signal?: AbortSignal | undefined;
}

/** New views; they remember the recent moves of `previous`. */
export function createViews({ client, triggers, settleMs, signal }: ViewOptions, previous?: Views): Views {
  const { recentMoves } = previous?.account ?? {};
  return {
    account: createAccountView(() => client().zones, settleMs, { signal, recentMoves }),
    registered: createRegisteredView(triggers, signal),
  };
}

export interface Context<Spec = unknown> extends Views {
  /** What the resource is called. */
  name: string;
  /** Who owns what is registered in the trigger service. @throws ProblemError where that is not said. */
  owner(): string;
  /** @throws ProblemError where no API key or URL was given. */
  client(): Client;
  /** The manager at this URL, by default the one of the configuration. @throws ProblemError */
  manager(url: string | undefined): Manager;
  /** @throws ProblemError where no URL or token was given. */
  triggers(): TriggersClient;
  /** The text of a file, named from the folder of the declaration. @throws ProblemError */
  readFile(name: string): Promise<string>;
  /** The specs of the same kind that are declared beside this one. */
  others: readonly Spec[];
  overrides: Overrides;
  /** Whether these calls are the ones that were shown and approved. Undefined if no plan was shown. */
  isPlanned?: ((calls: readonly Call[]) => boolean) | undefined;
  recorder: Recorder;
  /** What the calls of earlier runs tell about a topic (`CallType.facts`). */
  facts(topic: string): ReadonlySet<string>;
  sleep(ms: number): Promise<void>;
  signal?: AbortSignal | undefined;
}

/** What a person allows for one run only. */
export interface Overrides {
  allowMoves?: number | undefined;
  allowSelfLockout?: boolean | undefined;
  forcePorts?: boolean | undefined;
  /** Takes a zone for empty whose listing was answered with `{}`, null or nothing. */
  allowUnclearListings?: boolean | undefined;
}

/** Is told of each call before and after: the journal. */
export interface Recorder {
  /** Resolves when it is recorded durably; only then the call is sent. */
  sending(call: Call): Promise<CallRecord>;
}

export interface CallRecord {
  answered(answer: { count?: number }): Promise<void>;
  failed(error: { code: string; message: string; effect: 'none' | 'unknown' }): Promise<void>;
  /** What a read-back showed. */
  seen(seen: Seen): Promise<void>;
}
