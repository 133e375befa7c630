/** What one run of the tool holds open: the client, the managers, the account as it was listed. */
import { setTimeout } from 'node:timers/promises';
import { ProblemError } from '../input/problem.ts';
import { type AccountView, createAccountView } from '../resources/accountView.ts';
import type { Context, Overrides } from '../resources/context.ts';
import { type Client, createClient } from '../service/client.ts';
import { createManager, type Manager } from '../service/manager.ts';
import type { ConnectionOptions } from '../service/transport.ts';
import type { Config, Declared } from './config.ts';

export interface SessionOptions extends Omit<ConnectionOptions, 'url'> {
  overrides?: Overrides;
  /** What earlier runs deleted at a manager, by its origin. */
  deletedPorts?: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Who is told of each write, and the calls that were agreed to. */
export type Writing = Pick<Context, 'recorder' | 'agreed'>;

export interface Session {
  client(): Client;
  manager(url: string | undefined): Manager;
  account: AccountView;
  /** What the handlers of a resource are given; without a recorder of what they write, they can only read. */
  contextFor(resource: Pick<Declared, 'definition' | 'name'>, writing?: Writing): Context;
  /** A view of the account of its own, for a plan that expects its own moves. */
  withFreshAccount(): Session;
  close(): Promise<void>;
}

export function openSession(config: Config, { overrides = {}, deletedPorts, ...connection }: SessionOptions): Session {
  const { service, manager: managerConfig, declared } = config;
  const managers = new Map<string, Manager>();
  let opened: Client | undefined;

  function client(): Client {
    if (service.url === undefined) throw new ProblemError([noUrl]);
    if (service.apiKey === undefined) throw new ProblemError([noApiKey]);
    opened ??= createClient({ ...connection, ...service, url: service.url, apiKey: service.apiKey });
    return opened;
  }

  function manager(url = managerConfig.url): Manager {
    if (url === undefined) throw new ProblemError([noManagerUrl]);
    const token = isSameOrigin(url, managerConfig.url) ? managerConfig.token : undefined;
    const known = managers.get(url) ?? createManager({ ...connection, url, token, profile: service.profile });
    managers.set(url, known);
    return known;
  }

  const freshAccount = () =>
    createAccountView(() => client().zones, service.profile.settleSeconds * 1000, { signal: connection.signal });

  const sessionWith = (account: AccountView): Session => ({
    client,
    manager,
    account,
    contextFor: ({ definition, name }, { recorder, agreed } = readOnly) => ({
      client,
      manager,
      account,
      others: declared
        .filter((other) => other.definition === definition && other.name !== name)
        .map(({ spec }) => spec),
      overrides,
      recorder,
      agreed,
      deletedPorts: (origin) => deletedPorts?.get(origin) ?? new Set(),
      sleep: (ms) => setTimeout(ms, undefined, { signal: connection.signal }),
      signal: connection.signal,
    }),
    withFreshAccount: () => sessionWith(freshAccount()),
    async close() {
      await Promise.all([opened, ...managers.values()].map((connected) => connected?.close()));
    },
  });
  return sessionWith(freshAccount());
}

/** The token is for the configured manager only: a declaration, or a plan file from elsewhere, may name any other. */
function isSameOrigin(url: string, other = ''): boolean {
  return URL.canParse(url) && URL.canParse(other) && new URL(url).origin === new URL(other).origin;
}

const readOnly: Writing = {
  recorder: {
    sending() {
      throw new TypeError('a read was about to write');
    },
  },
};

const noUrl = {
  code: 'no-api-url',
  found: 'the URL of the service is not known',
  fix: 'set service.url in the file, WEBDATA_API_URL, or give --api-url',
};

const noApiKey = {
  code: 'no-api-key',
  found: 'there is no API key',
  fix: 'set WEBDATA_API_KEY (an admin makes keys in the control panel)',
};

const noManagerUrl = {
  code: 'no-manager-url',
  found: 'the URL of the proxy manager is not known',
  fix: 'set manager.url in the file, or `url` of the resource, WEBDATA_MANAGER_URL, or give --manager-url',
};
