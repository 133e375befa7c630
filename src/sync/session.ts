/** The session of one command: its connections and its views of the live state. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { renderFix } from '../diagnostics/fix.ts';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import { type Context, createViews, defaultCallParallelism, type Overrides, type Views } from '../kinds/context.ts';
import { createManager, type Manager } from '../service/areas/manager/manager.ts';
import { type Client, createClient } from '../service/client.ts';
import type { ConnectionOptions } from '../service/transport/transport.ts';
import { createTriggersClient, type TriggersClient } from '../triggers/client.ts';
import { type Config, knownService, noOwner } from './config/config.ts';
import type { Declared } from './plan/planned.ts';

export interface SessionOptions extends Omit<ConnectionOptions, 'url'> {
  overrides?: Overrides;
  /** The maximum number of calls at a time. */
  parallelism?: number | undefined;
  /** Facts from the calls of earlier runs, by topic. */
  facts?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Records each call, and knows the planned ones. */
export type Writing = Pick<Context, 'recorder' | 'isPlanned'>;

export interface Session extends Views {
  client(): Client;
  manager(url: string | undefined): Manager;
  triggers(): TriggersClient;
  /** Returns the context for the kind of a resource. Without a recorder, the context is read-only. */
  contextFor(resource: Pick<Declared, 'definition' | 'name'>, writing?: Writing): Context;
  /** Returns a session with new views of the live state, for a plan that applies its own calls to them. */
  withFreshAccount(): Session;
  /** Returns a session that knows these resources as the declared ones, and the same live state without planned calls. */
  withDeclared(declared: readonly Declared[]): Session;
  close(): Promise<void>;
}

export function openSession(config: Config, options: SessionOptions): Session {
  const { overrides = {}, facts, parallelism = defaultCallParallelism, ...connection } = options;
  const { service, manager: managerConfig, triggers: triggersConfig, declared } = config;
  const managers = new Map<string, Manager>();
  const { signal } = connection;
  let opened: Client | undefined;
  let openedTriggers: TriggersClient | undefined;

  function client(): Client {
    opened ??= createClient({ ...connection, ...knownService(config) });
    return opened;
  }

  function manager(url = managerConfig.url): Manager {
    if (url === undefined) throw new ProblemError([noManagerUrl]);
    const token = isSameOrigin(url, managerConfig.url) ? managerConfig.token : undefined;
    const known = managers.get(url) ?? createManager({ ...connection, url, token, profile: service.profile });
    managers.set(url, known);
    return known;
  }

  function triggers(): TriggersClient {
    const { url, token } = triggersConfig;
    if (url === undefined) throw new ProblemError([noTriggersUrl]);
    if (token === undefined) throw new ProblemError([noTriggersToken]);
    openedTriggers ??= createTriggersClient({ ...connection, url, token });
    return openedTriggers;
  }

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
      readFile: (file) => textOf(file, config.folder),
      others: known.filter((other) => other.definition === definition && other.name !== name).map(({ spec }) => spec),
      overrides,
      recorder,
      isPlanned,
      parallelism,
      facts: (topic) => facts?.get(topic) ?? new Set(),
      sleep: (ms) => setTimeout(ms, undefined, { signal }),
      signal,
    }),
    withFreshAccount: () => sessionWith(freshViews(views)),
    withDeclared: (others) => sessionWith({ ...views, account: views.account.withoutExpected() }, others),
    async close() {
      await Promise.all([opened, openedTriggers, ...managers.values()].map((connected) => connected?.close()));
    },
  });
  return sessionWith(freshViews());
}

/** Reads a file that the declaration names. @throws ProblemError */
async function textOf(file: string, folder: string): Promise<string> {
  try {
    return await readFile(resolve(folder, file), 'utf8');
  } catch (error) {
    throw new ProblemError([unreadable(file, (error as NodeJS.ErrnoException).code)]);
  }
}

function unreadable(file: string, code = 'unknown error'): Problem {
  return {
    code: 'unreadable-file',
    path: ['inputs', 'file'],
    found: `${file} can't be read: ${code === 'ENOENT' ? 'the file does not exist' : code}`,
    allowed: 'a file in the folder of the declaration, or below it',
    fix: 'correct the name, or put the file there',
  };
}

/** Protects the token, which is for the configured manager only: a declaration or a plan file may name any other URL. */
function isSameOrigin(url: string, other = ''): boolean {
  return URL.canParse(url) && URL.canParse(other) && new URL(url).origin === new URL(other).origin;
}

const readOnly: Writing = {
  recorder: {
    sending() {
      throw new TypeError('a read-only context cannot send calls');
    },
  },
};

const noManagerUrl: Problem = {
  affects: [],
  code: 'no-manager-url',
  found: 'the URL of the proxy manager is not known',
  ...renderFix(({ setManagerUrl }) => setManagerUrl),
};

const noTriggersUrl: Problem = {
  affects: [],
  code: 'no-triggers-url',
  found: 'the URL of the trigger service is not known',
  ...renderFix(({ setTriggersUrl }) => setTriggersUrl),
};

const noTriggersToken: Problem = {
  affects: [],
  code: 'no-triggers-token',
  found: 'the token of the trigger service is missing',
  ...renderFix(({ triggersToken }) => `set ${triggersToken} to the token that the trigger service was started with`),
};
