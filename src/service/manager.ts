/** The local proxy manager (specification, F). It has no part in the service's API key; a token is sent where one is set. */
import { z } from 'zod';
import { headerSecret, type WireRequest } from './call.ts';
import { localAddressTo } from './callerAddress.ts';
import { type Fixes, ServiceError } from './errors.ts';
import { portsIn } from './managerPorts.ts';
import { type ManagerSettingsPatch, type ManagerSettingsWire, settingsAnswer, toWire } from './managerSettings.ts';
import { parseProfile, type ServiceProfile, type ServiceProfileInput } from './profile.ts';
import { redactor } from './redact.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createTransport,
  defaultTimeoutMs,
  type Transport,
} from './transport.ts';

export interface ManagerOptions extends ConnectionOptions {
  /** For a manager that asks for one; sent in the profile's `manager.tokenHeader`. */
  token?: string | undefined;
  /** What the specification leaves open; the defaults where it is left out. */
  profile?: ServiceProfileInput | undefined;
}

export interface Manager {
  /** The settings, and how they were read: the specification documents only a PUT, of which an empty one changes nothing. @throws ServiceError */
  readSettings(options?: CallOptions): Promise<{ settings: ManagerSettingsWire; by: 'get' | 'put' }>;
  /** Sets the fields of the patch (F1); the answer is all settings after it. @throws ServiceError */
  updateSettings(patch: ManagerSettingsPatch, options?: CallOptions): Promise<ManagerSettingsWire>;
  /** Deletes these ports (F2). @throws ServiceError */
  deletePorts(ports: readonly number[], options?: CallOptions): Promise<void>;
  /** The recent status (F3), whose shape is not shown. @throws ServiceError */
  recentStats(options?: CallOptions): Promise<unknown>;
  /** The ports there are, sorted, as the profile says they are observed; null where this manager does not show them. @throws ServiceError */
  ports(options?: CallOptions): Promise<number[] | null>;
  /** The address that the manager sees as the caller's on a direct connection. @throws ServiceError */
  callerAddress(options?: CallOptions): Promise<string>;
  /** Where the manager is, without a slash at its end. */
  readonly url: string;
  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void>;
}

/** Sends nothing yet. @throws ServiceError for an unusable URL or token, ProblemError for an invalid profile. */
export function createManager({ token, profile: profileInput, ...connection }: ManagerOptions): Manager {
  const profile = parseProfile(profileInput).manager;
  const secrets = token === undefined ? [] : [token];
  const headers = token === undefined ? {} : tokenHeader(token, profile, redactor(secrets)(connection.url));
  const transport = createTransport({ ...connection, headers, secrets, fixes: managerFixes });
  const { origin, url, close } = transport;
  const timeoutMs = connection.timeoutMs ?? defaultTimeoutMs;
  return {
    ...settingsCalls(transport, profile),
    ...portCalls(transport, profile),
    callerAddress: ({ signal = connection.signal } = {}) => localAddressTo(origin, timeoutMs, managerFixes, signal),
    url,
    close,
  };
}

type ManagerProfile = ServiceProfile['manager'];

function settingsCalls(
  transport: Transport,
  profile: ManagerProfile,
): Pick<Manager, 'readSettings' | 'updateSettings'> {
  const path = '/api/settings';
  let how = profile.readSettings;

  async function read(by: 'get' | 'put', { signal }: CallOptions) {
    const request: WireRequest =
      by === 'get' ? { method: 'GET', path, signal } : { method: 'PUT', path, body: {}, read: true, signal };
    return { settings: await transport.json(request, settingsAnswer), by };
  }

  return {
    async readSettings(options = {}) {
      if (how !== 'auto') return read(how, options);
      try {
        return await read('get', options);
      } catch (error) {
        if (!isNotOffered(error)) throw error;
        how = 'put';
        return read(how, options);
      }
    },
    updateSettings: (patch, { signal } = {}) =>
      transport.json({ method: 'PUT', path, body: toWire(patch), signal }, settingsAnswer),
  };
}

function portCalls(
  transport: Transport,
  profile: ManagerProfile,
): Pick<Manager, 'deletePorts' | 'recentStats' | 'ports'> {
  const { route, recentStatsKey } = profile.ports;

  async function recentStats({ signal }: CallOptions = {}): Promise<unknown> {
    return transport.json({ method: 'GET', path: '/api/recent_stats', signal }, z.unknown());
  }

  async function portsInRecentStats(options: CallOptions): Promise<number[] | null> {
    try {
      const stats = recentStatsShape.safeParse(await recentStats(options));
      return stats.success ? portsIn(stats.data[recentStatsKey]) : null;
    } catch (error) {
      if (isNotOffered(error)) return null;
      throw error;
    }
  }

  return {
    recentStats,
    ports: (options = {}) =>
      route === undefined
        ? portsInRecentStats(options)
        : transport.json({ method: 'GET', path: route, fixes: routeFixes, ...options }, portList),
    deletePorts: (ports, { signal } = {}) =>
      transport.accepted({ method: 'POST', path: '/api/proxies/delete', body: { ports }, signal }),
  };
}

/** The manager has no such call, as opposed to: it has, and something went wrong. */
function isNotOffered(error: unknown): boolean {
  return error instanceof ServiceError && [404, 405, 501].includes(error.status ?? 0);
}

function tokenHeader(token: string, { tokenHeader: { name, scheme } }: ManagerProfile, shownUrl: string) {
  const value = headerSecret(token, "the manager's token", shownUrl, managerFixes.unauthorized);
  return { [name.toLowerCase()]: scheme === '' ? value : `${scheme} ${value}` };
}

const recentStatsShape = z.record(z.string(), z.unknown());

/** Where a route was named, anything but ports is a fault. */
const portList = z.unknown().transform((value, context) => {
  const ports = portsIn(value);
  if (ports !== null) return ports;
  context.addIssue({
    code: 'custom',
    message: 'expected ports: numbers, objects with a port, or an object keyed by port',
  });
  return z.NEVER;
});

const managerFixes = {
  unauthorized: "Set the manager's token; this one may be wrong or missing.",
  forbidden: "The manager lets in only the addresses on its own list: add this machine's address there.",
  unreachable: 'Check that the manager runs, that its URL is right, and that it can be reached from this machine.',
  'unexpected-answer':
    'Check that the URL is that of a proxy manager; if it is, it differs from the specification (see manager in the service profile).',
} satisfies Fixes;

const routeFixes = {
  'not-found': 'Check manager.ports.route in the service profile.',
  'unexpected-answer': 'Check manager.ports.route in the service profile.',
} satisfies Fixes;
