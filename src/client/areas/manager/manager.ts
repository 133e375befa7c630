/** The local proxy manager (specification, F). It never receives the service's API key; a token is sent if one is set. */

import { z } from 'zod';
import { assertNoProblems } from '../../../base/diagnostics/problem.ts';
import { valueProblems } from '../../../base/diagnostics/zodProblems.ts';
import { isMapValue } from '../../../base/values/plain.ts';
import { type Fixes, ServiceError } from '../../errors.ts';
import { createInferences, type Inferences, type InferredProfile } from '../../inferredProfile.ts';
import { parseProfile, profileYaml, type ServiceProfile, type ServiceProfileInput } from '../../profile.ts';
import { type Reader, ShapeFault } from '../../reading/readers.ts';
import { redactor } from '../../redact.ts';
import { localAddressTo } from '../../transport/callerAddress.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createTransport,
  defaultTimeoutMs,
  type Transport,
} from '../../transport/transport.ts';
import { headerSecret, type WireRequest } from '../../transport/wireRequest.ts';
import { portsIn } from './ports.ts';
import {
  type ManagerSettingsPatch,
  type ManagerSettingsWire,
  patchProblems,
  settingsAnswer,
  toWire,
  updateAnswer,
} from './settings.ts';

export interface ManagerOptions extends ConnectionOptions {
  /** Token of a manager that requires one; sent in the profile's `manager.tokenHeader`. */
  token?: string | undefined;
  /** Service profile. Missing fields have their defaults. */
  profile?: ServiceProfileInput | undefined;
}

export interface Manager {
  /**
   * Reads the settings, and returns the method that was used. The specification documents only a PUT; an empty one changes nothing.
   * @throws ServiceError
   */
  readSettings(options?: CallOptions): Promise<{ settings: ManagerSettingsWire; by: 'get' | 'put' }>;
  /** Sets the fields of the patch (F1) and returns all settings after it. @throws ServiceError */
  updateSettings(patch: ManagerSettingsPatch, options?: CallOptions): Promise<ManagerSettingsWire>;
  /** Deletes these ports (F2). @throws ServiceError */
  deletePorts(ports: readonly number[], options?: CallOptions): Promise<void>;
  /** Returns the recent statistics (F3), whose shape the specification does not show. @throws ServiceError */
  recentStats(options?: CallOptions): Promise<unknown>;
  /**
   * Returns the existing ports in order, as the profile says they are observed; null if this manager does not show them.
   * @throws ServiceError
   */
  ports(options?: CallOptions): Promise<number[] | null>;
  /** Returns the caller's address as the manager sees it on a direct connection. @throws ServiceError */
  callerAddress(options?: CallOptions): Promise<string>;
  /** Returns the part of the profile that was inferred from answers so far. */
  inferredProfile(): InferredProfile;
  /** URL of the manager, without a trailing slash. */
  readonly url: string;
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Creates a manager client without sending anything.
 * @throws ServiceError for an unusable URL or token, ProblemError for an invalid profile
 */
export function createManager({ token, profile: profileInput, ...connection }: ManagerOptions): Manager {
  const profile = parseProfile(profileInput).manager;
  const secrets = token === undefined ? [] : [token];
  const headers = token === undefined ? {} : tokenHeader(token, profile, redactor(secrets)(connection.url));
  const transport = createTransport({ ...connection, headers, secrets, fixes: managerFixes });
  const { origin, url, close } = transport;
  const timeoutMs = connection.timeoutMs ?? defaultTimeoutMs;
  const inferences = createInferences();
  return {
    ...settingsCalls(transport, profile, inferences),
    ...portCalls(transport, profile),
    inferredProfile: inferences.profile,
    callerAddress: ({ signal = connection.signal } = {}) => localAddressTo(origin, timeoutMs, managerFixes, signal),
    url,
    close,
  };
}

type ManagerProfile = ServiceProfile['manager'];

function settingsCalls(
  transport: Transport,
  profile: ManagerProfile,
  inferences: Inferences,
): Pick<Manager, 'readSettings' | 'updateSettings'> {
  const path = '/api/settings';
  let how = profile.readSettings;

  async function read(by: 'get' | 'put', { signal }: CallOptions) {
    const request: WireRequest =
      by === 'get' ? { method: 'GET', path, signal } : { method: 'PUT', path, body: {}, read: true, signal };
    const settings = await transport.read({ ...request, fixes: settingsFixes(by) }, settingsAnswer);
    if (profile.readSettings === 'auto') inferences.add({ manager: { readSettings: by } });
    return { settings, by };
  }

  return {
    async readSettings(options = {}) {
      if (how !== 'auto') return read(how, options);
      try {
        return await read('get', options);
      } catch (error) {
        if (!isNotOffered(error) && !isOtherAnswer(error)) throw error;
        how = 'put';
        return read(how, options);
      }
    },
    async updateSettings(patch, { signal } = {}) {
      assertNoProblems(patchProblems(patch));
      const request: WireRequest = { method: 'PUT', path, body: toWire(patch), takesText: true, signal };
      return transport.read(request, updateAnswer);
    },
  };
}

function portCalls(
  transport: Transport,
  profile: ManagerProfile,
): Pick<Manager, 'deletePorts' | 'recentStats' | 'ports'> {
  const { route, recentStatsKey = 'ports' } = profile.ports;

  async function recentStats({ signal }: CallOptions = {}): Promise<unknown> {
    return transport.read({ method: 'GET', path: '/api/recent_stats', signal }, (stats) => stats ?? null);
  }

  function portsOf(stats: unknown): number[] | null {
    if (isMapValue(stats)) return portsIn(stats[recentStatsKey]);
    const isOfPorts =
      Array.isArray(stats) && stats.length > 0 && stats.every((item) => isMapValue(item) && 'port' in item);
    return isOfPorts ? portsIn(stats) : null;
  }

  async function portsInRecentStats(options: CallOptions): Promise<number[] | null> {
    try {
      return portsOf(await recentStats(options));
    } catch (error) {
      if (isNotOffered(error) || isOtherAnswer(error) || isRefusal(error)) return null;
      throw error;
    }
  }

  return {
    recentStats,
    ports: (options = {}) =>
      route === undefined
        ? portsInRecentStats(options)
        : transport.read({ method: 'GET', path: route, fixes: routeFixes, ...options }, portList),
    async deletePorts(ports, { signal } = {}) {
      assertNoProblems(valueProblems(deletion, { ports }));
      return transport.accepted({ method: 'POST', path: '/api/proxies/delete', body: { ports }, signal });
    },
  };
}

/** Callers without types can pass anything. */
const deletion = z.object({ ports: z.array(z.int().min(1).max(65_535)).min(1) });

/** Returns true if the manager does not have the call, as opposed to a failure of the call. */
function isNotOffered(error: unknown): boolean {
  return error instanceof ServiceError && [400, 404, 405, 406, 410, 501].includes(error.status ?? 0);
}

/** Returns true for a page, a redirect, or JSON of another kind, which managers answer to an unknown path. */
function isOtherAnswer(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unexpected-answer' && !error.transient;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && ['refused', 'unauthorized', 'forbidden'].includes(error.code);
}

function tokenHeader(token: string, { tokenHeader: { name, scheme } }: ManagerProfile, shownUrl: string) {
  const value = headerSecret(token, "the manager's token", shownUrl, managerFixes.unauthorized);
  return { [name.toLowerCase()]: scheme === '' ? value : `${scheme} ${value}` };
}

/** Reads the ports of a route in the profile, where anything but ports is an error. */
const portList: Reader<number[]> = (value, { path }) => {
  const ports = portsIn(value);
  if (ports !== null) return ports;
  throw new ShapeFault(path, 'ports: numbers, objects with a port, or an object keyed by port', value);
};

const managerFixes = {
  unauthorized: "Set the manager's token; this one may be wrong or missing.",
  forbidden: "The manager accepts only the addresses on its allowlist: add this machine's address.",
  unreachable: 'Check that the manager is running, that its URL is correct, and that this machine can reach it.',
  'unexpected-answer':
    'Check that the URL is that of a proxy manager. If it is, the manager differs from the specification (see manager in the service profile).',
} satisfies Fixes;

const routeFix = `Check manager.ports.route in the service profile, or find the ports in the recent stats: ${profileYaml({ manager: { ports: { recentStatsKey: 'ports' } } })}`;

const routeFixes = { 'not-found': routeFix, 'unexpected-answer': routeFix } satisfies Fixes;

/** Returns the advice for reading settings. */
function settingsFixes(by: 'get' | 'put'): Fixes {
  const other = profileYaml({ manager: { readSettings: by === 'get' ? 'put' : 'get' } });
  return {
    'unexpected-answer': `Check that the URL is that of a proxy manager. If it is, read its settings in the other way: ${other}`,
  };
}
