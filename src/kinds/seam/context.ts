/** The context that a kind gets besides a spec: clients, views of the live state, and the recorder of calls. */

import type { Manager } from '../../client/areas/manager/manager.ts';
import type { Client } from '../../client/client.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import type { Call, Seen } from './call.ts';
import type { Views } from './views.ts';

export interface Context<Spec = unknown> extends Views {
  /** The name of the resource. */
  name: string;
  /** The owner of registrations in the trigger service. @throws ProblemError if the declaration has no `name` */
  owner(): string;
  /** @throws ProblemError if there is no API key or URL */
  client(): Client;
  /** The manager at this URL, by default the one of the configuration. @throws ProblemError */
  manager(url: string | undefined): Manager;
  /** @throws ProblemError if there is no URL or token */
  triggers(): TriggersClient;
  /** Reads a text file. The name is relative to the folder of the declaration. @throws ProblemError */
  readFile(name: string): Promise<string>;
  /** The specs of the same kind that are declared beside this one. */
  others: readonly Spec[];
  overrides: Overrides;
  /** Returns true if these calls are the ones that were shown and approved. Undefined if no plan was shown. */
  isPlanned?: ((calls: readonly Call[]) => boolean) | undefined;
  recorder: Recorder;
  /** The maximum number of calls at a time. Calls whose order matters are sent one after the other in any case. */
  parallelism: number;
  /** The facts about a topic: from the calls of earlier runs (`CallType.facts`), and from the baseline (`DriftComparison.facts`). */
  facts(topic: string): ReadonlySet<string>;
  sleep(ms: number): Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Values from the configuration that specs may leave out. */
export interface Defaults {
  managerUrl?: string | undefined;
  /** The specs of another collection, by name. Undefined where they are not known. */
  declared?: ((collection: string) => ReadonlyMap<string, unknown>) | undefined;
}

export interface PullTarget extends Defaults {
  /** The name for a resource that has none of its own. */
  name: string;
  zones: readonly string[];
  /** Declares numbers of IPs by country in place of the IPs, where the country is known. */
  isByCount?: boolean | undefined;
  /** The owner of registrations. Undefined if there is none, or if no trigger service is configured. */
  owner?: string | undefined;
}

/** The arguments with which a kind finds its live objects: the configuration, and the declared specs by name. */
export interface LiveTarget<Spec> extends Pick<PullTarget, 'managerUrl' | 'owner'> {
  declared: ReadonlyMap<string, Spec>;
}

/** Permissions for one run only, from options of the command line. */
export interface Overrides {
  allowMoves?: number | undefined;
  allowSelfLockout?: boolean | undefined;
  forcePorts?: boolean | undefined;
  /** Moves IPs by listings that are unclear or not whole, and counts IPs by the countries that are listed now. */
  allowUnclearListings?: boolean | undefined;
  /** Only moves that touch one of these zones are planned. */
  zones?: ReadonlySet<string> | undefined;
}

/** A small number, because a call may incur charges, and calls in progress are still completed after another one was refused. */
export const defaultCallParallelism = 4;

/** Records each call before and after it is sent, for example in the journal. */
export interface Recorder {
  /** Resolves when the call is recorded durably. The call may be sent only after that. */
  sending(call: Call): Promise<CallRecord>;
}

export interface CallRecord {
  answered(answer: { count?: number }): Promise<void>;
  failed(error: { code: string; message: string; effect: 'none' | 'unknown' }): Promise<void>;
  /** Records that the call was not sent after all. */
  withdraw(): Promise<void>;
  /** Records the result of a read-back. */
  seen(seen: Seen): Promise<void>;
}
