/** A session over connections that the caller brings: the views of the live state, and the context of each resource. */
import { ProblemError } from '../diagnostics/problem.ts';
import { type Context, createViews, defaultCallParallelism, type Overrides, type Views } from '../kinds/context.ts';
import type { Manager } from '../service/areas/manager/manager.ts';
import type { Client } from '../service/client.ts';
import type { TriggersClient } from '../triggers/client.ts';
import { type Config, noOwner } from './config/config.ts';
import type { Declared } from './plan/planned.ts';

/** Records each call, and knows the planned ones. */
export type Writing = Pick<Context, 'recorder' | 'isPlanned'>;

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

export interface Session extends Views, Pick<Connections, 'client' | 'manager' | 'triggers' | 'close'> {
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
}

export function createSession(
  config: Config,
  { client, manager, triggers, readFile, sleep, close }: Connections,
  { overrides = {}, parallelism = defaultCallParallelism, facts, signal }: ViewingOptions = {},
): Session {
  const { service, declared } = config;

  function owner(): string {
    if (config.name === undefined) throw new ProblemError([noOwner]);
    return config.name;
  }

  const settleMs = service.profile.settleSeconds * 1000;
  const freshViews = (previous?: Views) => createViews({ client, triggers, settleMs, signal }, previous);

  const sessionWith = (views: Views, known: readonly Declared[] = declared): Session => ({
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
    withDeclared: (others) => sessionWith({ ...views, account: views.account.withoutExpected() }, others),
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
