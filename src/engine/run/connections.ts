/** The connections of a session to the servers that its declaration names. */
import { setTimeout } from 'node:timers/promises';
import { renderFix } from '../../base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { createManager, type Manager } from '../../client/areas/manager/manager.ts';
import { type Client, createClient } from '../../client/client.ts';
import type { ConnectionOptions } from '../../client/transport/transport.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { createTriggersClient } from '../../triggers/client.ts';
import { createStoreTriggers } from '../../triggers/storeClient.ts';
import type { Config } from '../declaration/config.ts';
import { knownService } from '../declaration/connection.ts';
import { readDeclaredFile } from '../declaration/declaredFile.ts';
import type { Connections } from './session.ts';

export interface ConnectingOptions extends Omit<ConnectionOptions, 'url'> {
  /** True for an operation that only compares or shows: no write leaves the process, even if a kind tries. */
  readOnly: boolean;
}

/** Nothing is opened before it is used. */
export function connect(config: Config, connection: ConnectingOptions): Connections {
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
    const { url, token, ledger } = triggersConfig;
    if (ledger !== undefined) {
      openedTriggers ??= createStoreTriggers(ledger, { readOnly: connection.readOnly });
      return openedTriggers;
    }
    if (url === undefined) throw new ProblemError([noTriggersUrl]);
    if (token === undefined) throw new ProblemError([noTriggersToken]);
    openedTriggers ??= createTriggersClient({ ...beside, url, token });
    return openedTriggers;
  }

  return {
    client,
    manager,
    triggers,
    readFile: (file: string) => readDeclaredFile(file, config),
    sleep: (ms: number) => setTimeout(ms, undefined, { signal }),
    async close() {
      await Promise.all([opened, openedTriggers, ...managers.values()].map((connected) => connected?.close()));
    },
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
