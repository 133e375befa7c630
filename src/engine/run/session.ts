/** A session over connections that the caller brings: the views of the live state, and the context of each resource. */

import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Manager } from '../../client/areas/manager/manager.ts';
import type { Client } from '../../client/client.ts';
import { type Context, defaultCallParallelism, type Overrides } from '../../kinds/seam/context.ts';
import { createViews, type SessionViews, type ViewOptions, type Views } from '../../kinds/seam/views.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { type Config, noOwner } from '../declaration/config.ts';
import type { Declared } from '../plan/resources.ts';

/** Records each call, and knows the planned ones. */
type Writing = Pick<Context, 'recorder' | 'isPlanned'>;

/** The way to the outside world. */
export interface Connections {
  client(): Client;
  manager(url: string | undefined): Manager;
  triggers(): TriggersClient;
  /** Reads a text file. The name is relative to the folder of the declaration. @throws ProblemError */
  readFile(name: string): Promise<string>;
  sleep(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The servers that a session talks to. */
export type Servers = Pick<Connections, 'client' | 'manager' | 'triggers' | 'close'>;

export interface Session extends SessionViews, Servers {
  /** Returns the context for the kind of a resource. Without a recorder, the context is read-only. */
  contextFor(resource: Pick<Declared, 'definition' | 'name'>, writing?: Writing): Context;
  /** Returns a session with new views of the live state, for a plan that applies its own calls to them. */
  withFreshAccount(): Session;
  /** Returns a session that knows these resources as the declared ones, and the same live state without planned calls. */
  withDeclared(declared: readonly Declared[]): Session;
}

export interface ViewingOptions {
  overrides?: Overrides | undefined;
  /** The maximum number of calls at a time. */
  parallelism?: number | undefined;
  /** Facts from the calls of earlier runs, by topic. */
  facts?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  signal?: AbortSignal | undefined;
  onListing?: ViewOptions['onListing'];
}

export function createSession(
  config: Config,
  connections: Connections,
  { overrides = {}, parallelism = defaultCallParallelism, facts, signal, onListing }: ViewingOptions = {},
): Session {
  const { client, manager, triggers, readFile, sleep, close } = connections;
  const { service, declared } = config;

  function owner(): string {
    if (config.name === undefined) throw new ProblemError([noOwner]);
    return config.name;
  }

  const lagMs = service.profile.settleSeconds * 1000;
  const freshViews = (previous?: Views) => createViews({ client, triggers, lagMs, signal, onListing }, previous);

  const sessionWith = (views: SessionViews, known: readonly Declared[] = declared): Session => ({
    client,
    manager,
    triggers,
    ...views,
    contextFor: ({ definition, name }, { recorder, isPlanned } = readOnly) => ({
      name,
      owner,
      client,
      manager,
      triggers,
      ...views,
      readFile,
      others: known.filter((other) => other.definition === definition && other.name !== name).map(({ spec }) => spec),
      overrides,
      recorder,
      isPlanned,
      parallelism,
      facts: (topic) => facts?.get(topic) ?? new Set(),
      sleep,
      signal,
    }),
    withFreshAccount: () => sessionWith(freshViews(views)),
    withDeclared: (others) => sessionWith(views.withoutExpected(), others),
    close,
  });
  return sessionWith(freshViews());
}

const readOnly: Writing = {
  recorder: {
    sending() {
      throw new TypeError('a read-only context cannot send calls');
    },
  },
};
