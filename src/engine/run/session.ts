/** The session of one command: its connections to servers, with the views of the live state over them. */
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { renderFix } from '../../base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import { withoutMark } from '../../base/values/utf8.ts';
import { createManager, type Manager } from '../../client/areas/manager/manager.ts';
import { type Client, createClient } from '../../client/client.ts';
import type { ConnectionOptions } from '../../client/transport/transport.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { createTriggersClient } from '../../triggers/client.ts';
import type { Config } from '../declaration/config.ts';
import { knownService } from '../declaration/connection.ts';
import { isInOneOf } from '../declaration/links.ts';
import { createSession, type Session, type ViewingOptions } from './sessionViews.ts';

export interface SessionOptions extends Omit<ConnectionOptions, 'url'>, Omit<ViewingOptions, 'signal'> {}

export function openSession(config: Config, options: SessionOptions): Session {
  const { overrides, facts, parallelism, onListing, ...connection } = options;
  const { service, manager: managerConfig, triggers: triggersConfig } = config;
  const managers = new Map<string, Manager>();
  const { signal } = connection;
  // Zones do not wait long for a manager or a trigger service that hangs, but one lost answer is no reason to fail.
  const beside = { ...connection, retry: { ...connection.retry, retriesAfterTimeout: 1 } };
  let opened: Client | undefined;
  let openedTriggers: TriggersClient | undefined;

  function client(): Client {
    opened ??= createClient({ ...connection, ...knownService(config) });
    return opened;
  }

  function manager(url = managerConfig.url): Manager {
    if (url === undefined) throw new ProblemError([noManagerUrl]);
    const token = isSameOrigin(url, managerConfig.url) ? managerConfig.token : undefined;
    const known = managers.get(url) ?? createManager({ ...beside, url, token, profile: service.profile });
    managers.set(url, known);
    return known;
  }

  function triggers(): TriggersClient {
    const { url, token } = triggersConfig;
    if (url === undefined) throw new ProblemError([noTriggersUrl]);
    if (token === undefined) throw new ProblemError([noTriggersToken]);
    openedTriggers ??= createTriggersClient({ ...beside, url, token });
    return openedTriggers;
  }

  const connections = {
    client,
    manager,
    triggers,
    readFile: (file: string) => readDeclaredFile(file, config),
    sleep: (ms: number) => setTimeout(ms, undefined, { signal }),
    async close() {
      await Promise.all([opened, openedTriggers, ...managers.values()].map((connected) => connected?.close()));
    },
  };
  return createSession(config, connections, { overrides, facts, parallelism, signal, onListing });
}

/** Reads a file that the declaration names. @throws ProblemError */
async function readDeclaredFile(file: string, { folder, folders }: Config): Promise<string> {
  const path = resolve(folder, file);
  if (!(await isInOneOf(path, folder, folders))) throw new ProblemError([leadsOutside(file)]);
  try {
    return withoutMark(await readTextFile(path, file));
  } catch (error) {
    if (error instanceof ProblemError) throw inInputs(error);
    throw new ProblemError([unreadable(file, (error as NodeJS.ErrnoException).code)]);
  }
}

/** Keeps the location in the file as words: the problem gets the location in the declaration. */
function inInputs({ problems }: ProblemError): ProblemError {
  return new ProblemError(
    problems.map(({ place, found, ...problem }) => ({
      ...problem,
      path: ['inputs', 'file'],
      found: place === undefined ? found : `${place.file}:${place.line}:${place.column}: ${found}`,
    })),
  );
}

function unreadable(file: string, code: string | undefined): Problem {
  return {
    code: 'unreadable-file',
    path: ['inputs', 'file'],
    found: `${file} can't be read: ${code === 'ENOENT' ? 'the file does not exist' : systemReason(code)}`,
    allowed: 'a file in the folder of the declaration, or below it',
    fix: 'correct the name, or put the file there',
  };
}

function leadsOutside(file: string): Problem {
  return {
    code: 'file-not-allowed',
    path: ['inputs', 'file'],
    found: `${file} is a symbolic link out of the current folder and the folder of the declaration, or to a hidden file`,
    allowed: 'a file within these folders, or a link to one that is not hidden',
    fix: 'replace the link with the file, or run the command in a folder above it',
  };
}

/** Protects the token, which is for the configured manager only: a declaration or a plan file may name any other URL. */
function isSameOrigin(url: string, other = ''): boolean {
  return URL.canParse(url) && URL.canParse(other) && new URL(url).origin === new URL(other).origin;
}

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
