/**
 * `ManagerSettings`: settings of a local proxy manager, and ports that must not exist (specification, F). Live state:
 * `/api/settings`, and the ports as far as the manager shows them.
 */

import { renderFix } from '../../diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { type ManagerSettingsPatch, settingOf } from '../../service/areas/manager/settings.ts';
import { ServiceError } from '../../service/errors.ts';
import { profileYaml } from '../../service/profile.ts';
import { shown } from '../../service/reading/misfits.ts';
import { isMapValue } from '../../values/plain.ts';
import { accountView } from '../accountView.ts';
import { covers, entryLists } from '../addresses.ts';
import type { Call } from '../call.ts';
import { type PropertyChange, propertyChanges } from '../changes.ts';
import { concurrencyKeys } from '../concurrencyKey.ts';
import type { Context, Defaults } from '../context.ts';
import type { AllowList, Diff, Kind, LiveObject, LiveTarget, SpecDifference } from '../kind.ts';
import type { Note, NoteType } from '../notes.ts';
import { inferredProfileNote, listFetched, profileInferred } from '../notes.ts';
import { assertPlannedCalls } from '../plannedCalls.ts';
import { deletedPortsTopic, deletePorts } from './calls/deletePorts.ts';
import { type DeletePortsCall, deletePortsCall, type UpdateSettingsCall } from './calls/managerCalls.ts';
import { sendDeletion, sendSettings } from './calls/sendCalls.ts';
import { updateSettings } from './calls/updateSettings.ts';
import {
  acceptedSettings,
  asProperties,
  differingSettings,
  inOrder,
  liveSettings,
  pick,
  unseenSettings,
  wantedSettings,
} from './diff.ts';
import { type ManagerSettingsSpec, type ManagerSettingsState, managerSettingsSpec } from './spec.ts';

const managerNoteTypes: readonly NoteType[] = [
  { code: 'zone-not-found', description: 'The declared default zone does not exist at the service.' },
  {
    code: 'ports-not-observable',
    description: 'The manager does not show its ports, so `absentPorts` are deleted once.',
  },
  {
    code: 'read-by-put',
    description:
      'The manager does not answer a GET of its settings, so they are read with an empty PUT, which changes nothing.',
  },
  { code: 'left-as-is', description: 'A destroy or an undo leaves something unchanged.' },
  profileInferred,
  listFetched,
];

type Spec = ManagerSettingsSpec;
type State = ManagerSettingsState;

export const managerSettings = {
  name: 'ManagerSettings',
  collection: 'managerSettings',
  spec: managerSettingsSpec,
  calls: [updateSettings, deletePorts],
  notes: managerNoteTypes,
  guards: { 'self-lockout': 'every' },
  destinations: (written) => (isMapValue(written) && typeof written.url === 'string' ? [['url']] : []),
  targets: ({ url }) => ({ managers: url === undefined ? [] : [url] }),
  conflicts: sameManagerTwice,
  concurrencyKey: (spec, context) => concurrencyKeys.manager(context.manager(spec.url).url),
  observe,
  diff,
  differences,
  guard: (_spec, state, calls) => calls.flatMap((call) => (isUpdate(call) ? lockedOut(call.settings, state) : [])),
  fingerprintInput: ({ manager, settings, ports }) => ({
    [`settings of ${manager}`]: inOrder(liveSettings(settings)),
    [`ports of ${manager}`]: ports && [...ports].toSorted((a, b) => a - b),
  }),
  diffRemoval: () => ({ changes: [], calls: [], notes: [settingsStay], problems: [] }),
  converge,
  async remove() {},
  async exportLive({ managerUrl, name }, context) {
    if (managerUrl === undefined) return undefined;
    const { settings } = await context.manager(managerUrl).readSettings({ signal: context.signal });
    const { zone, ...rest } = liveSettings(settings);
    return { [name]: zone ? { zone, ...rest } : rest };
  },
  acceptLive: ({ written, spec }, state) => ({
    fields: acceptedSettings(written, spec, state),
    problems: unseenProblems(spec, state),
  }),
  liveObjects: liveManagers,
  allowLists,
  shortLists: entryLists([['whitelistIps'], ['wwwWhitelistIps']]),
} satisfies Kind<Spec, State>;

/** Returns the configured manager and those that are declared, each with the name of its resource. */
function managerUrls(
  { managerUrl, declared }: LiveTarget<Spec>,
  context: Context<Spec>,
): Map<string, string | undefined> {
  const declaredUrls = [...declared].map(([name, { url }]) => [context.manager(url).url, name] as const);
  return new Map([
    ...(managerUrl === undefined ? [] : [[context.manager(managerUrl).url, undefined] as const]),
    ...declaredUrls,
  ]);
}

function allowLists(target: LiveTarget<Spec>, context: Context<Spec>): AllowList[] {
  return [...managerUrls(target, context)].map(([url, name]) => {
    const { whitelistIps: entries, ignoreChanges = [] } = (name !== undefined && target.declared.get(name)) || {};
    const isDeclared = name !== undefined && entries !== undefined && !ignoreChanges.includes('whitelistIps');
    return {
      owner: url,
      declared: isDeclared ? { path: [name, 'whitelistIps'], entries } : undefined,
      async live() {
        const { settings } = await context.manager(url).readSettings({ signal: context.signal });
        const { whitelistIps, fixedWhitelistIps } = settings;
        if (whitelistIps === undefined && fixedWhitelistIps === undefined) return undefined;
        return [...new Set([...(fixedWhitelistIps ?? []), ...(whitelistIps ?? [])])];
      },
    };
  });
}

async function liveManagers(target: LiveTarget<Spec>, context: Context<Spec>): Promise<LiveObject[]> {
  const options = { signal: context.signal };
  return [...managerUrls(target, context)].map(([url, name]) => ({
    name: url,
    isDeclared: name !== undefined,
    async facts() {
      const manager = context.manager(url);
      const { settings } = await manager.readSettings(options);
      return { ...liveSettings(settings), ports: await manager.ports(options) };
    },
  }));
}

function isUpdate(call: Call): call is UpdateSettingsCall {
  return call.type === 'updateSettings';
}

function sameManagerTwice(specs: ReadonlyMap<string, Spec>, { managerUrl }: Defaults): Problem[] {
  const seen = new Map<string, string>();
  return [...specs].flatMap(([name, { url = managerUrl }]) => {
    if (url === undefined || !URL.canParse(url)) return [];
    const { host, pathname } = new URL(url);
    const place = host + pathname.replace(/\/+$/, '');
    const first = seen.get(place);
    if (first === undefined) {
      seen.set(place, name);
      return [];
    }
    return [
      {
        code: 'manager-twice',
        path: [name],
        found: `the manager at ${place} is declared twice`,
        allowed: 'one entry for each manager',
        also: [{ path: [first], what: 'is the other one' }],
      },
    ];
  });
}

const settingsStay: Note = { code: 'left-as-is', text: 'the settings of the manager stay as they are' };

async function observe({ url, zone, absentPorts, wwwWhitelistIps }: Spec, context: Context<Spec>): Promise<State> {
  const manager = context.manager(url);
  const options = { signal: context.signal };
  const { settings, by: readBy } = await manager.readSettings(options);
  const ports = absentPorts ? await manager.ports(options) : null;
  const deletedPorts = context.overrides.forcePorts ? [] : context.facts(deletedPortsTopic(manager.url));
  return {
    manager: manager.url,
    settings,
    readBy,
    ports,
    deletedPorts: new Set([...deletedPorts].map(Number)),
    callerAddress: wwwWhitelistIps ? await manager.callerAddress(options) : '',
    allowSelfLockout: context.overrides.allowSelfLockout ?? false,
    isZoneMissing: zone !== undefined && (await isUnknownZone(zone, context)),
    inferred: manager.inferredProfile(),
  };
}

/** Used only for a note: if the service is not configured or does not answer, the zone counts as known. */
async function isUnknownZone(zone: string, context: Context<Spec>): Promise<boolean> {
  try {
    await context.view(accountView).list([zone]);
    return false;
  } catch (error) {
    return error instanceof ServiceError && error.code === 'not-found';
  }
}

function diff(spec: Spec, state: State): Diff<UpdateSettingsCall | DeletePortsCall> {
  const update = settingsCall(spec, state);
  const deletion = portsCall(spec, state);
  const changes = [
    ...propertyChanges(asProperties(update?.before ?? {}), asProperties(update?.settings ?? {})),
    ...(deletion?.ports ?? []).map((port): PropertyChange => ({ path: ['ports', port], kind: 'remove', before: port })),
  ];
  const calls = [update, deletion].filter((call) => call !== undefined);
  const problems = [...unseenProblems(spec, state), ...lockedOut(update?.settings ?? {}, state)];
  return { changes, calls, notes: notesOn(spec, state), problems };
}

/** A declaration names ports that must not exist (`absentPorts`), while the live state has ports that exist. */
function differences(spec: Spec, state: State): SpecDifference[] {
  return diff(spec, state).changes.map(({ path: [field, ...rest], ...change }) =>
    field === 'ports'
      ? { ...change, path: ['absentPorts', ...rest], isObserved: state.ports !== null }
      : { ...change, path: [...(field === undefined ? [] : [field]), ...rest] },
  );
}

function settingsCall(spec: Spec, { manager, settings }: State): UpdateSettingsCall | undefined {
  const [wanted, live] = [wantedSettings(spec, settings), liveSettings(settings)];
  const differing = differingSettings(wanted, live);
  if (differing.length === 0) return undefined;
  return { type: 'updateSettings', manager, settings: pick(wanted, differing), before: pick(live, differing) };
}

function unseenProblems(spec: Spec, { manager, settings, readBy }: State): Problem[] {
  return unseenSettings(spec, settings).map((name) => {
    const { wire } = settingOf(name);
    const { [wire]: value } = settings.unreadable ?? {};
    return {
      code: 'setting-not-shown',
      path: [name],
      found: `the manager at ${manager} shows ${value === undefined ? `no \`${wire}\`` : `\`${wire}\` as ${shown(value)}`}`,
      allowed: 'a setting that can be read and compared',
      fix: `remove \`${name}\` from the declaration, or add it to ignoreChanges; if the manager shows it otherwise: ${profileYaml({ manager: { readSettings: readBy === 'get' ? 'put' : 'get' } })}`,
    };
  });
}

/** Deletes the ports that exist. If the manager does not show its ports, deletes all that were not deleted before. */
function portsCall(spec: Spec, { manager, ports, deletedPorts }: State): DeletePortsCall | undefined {
  if (spec.ignoreChanges.includes('absentPorts')) return undefined;
  const unwanted = [...new Set(spec.absentPorts)].filter((port) => ports?.includes(port) ?? !deletedPorts.has(port));
  if (unwanted.length === 0) return undefined;
  return deletePortsCall({ manager, ports: unwanted.sort((a, b) => a - b), observed: ports !== null });
}

function notesOn({ zone, absentPorts = [] }: Spec, { readBy, ports, isZoneMissing, inferred }: State): Note[] {
  const missing: Note = {
    code: 'zone-not-found',
    text: `zone ${zone} does not exist at the service, so requests through the manager would have no zone`,
  };
  const byPut: Note = {
    code: 'read-by-put',
    text: 'the manager does not answer a GET of its settings, so they are read with a PUT of {}, which changes nothing',
  };
  const unseen: Note = {
    code: 'ports-not-observable',
    text: 'this manager does not show its ports: absentPorts are deleted once, or again with --force-ports',
  };
  const isWorthPinning = inferred.manager?.ports !== undefined;
  return [
    ...(isZoneMissing ? [missing] : []),
    ...(readBy === 'put' ? [byPut] : []),
    ...(isWorthPinning ? inferredProfileNote(inferred) : []),
    ...(ports === null && absentPorts.length > 0 ? [unseen] : []),
  ];
}

/** Removing the caller's own address requires `--allow-self-lockout`. */
function lockedOut(
  { wwwWhitelistIps }: ManagerSettingsPatch,
  { settings, callerAddress, allowSelfLockout }: State,
): Problem[] {
  const loses =
    wwwWhitelistIps && covers(settings.wwwWhitelistIps ?? [], callerAddress) && !covers(wwwWhitelistIps, callerAddress);
  if (!loses || allowSelfLockout) return [];
  return [
    {
      code: 'self-lockout',
      path: ['wwwWhitelistIps'],
      found: `the list would lose ${callerAddress}, the address that you call the manager from`,
      allowed: 'a list that keeps it',
      ...renderFix((words) => `add ${callerAddress}, or ${words.allowSelfLockout}`),
    },
  ];
}

/** Makes the calls of the diff, then reads back and compares once more. @throws ServiceError, ProblemError */
async function converge(spec: Spec, context: Context<Spec>): Promise<State> {
  const state = await observe(spec, context);
  const { calls, problems } = diff(spec, state);
  if (problems.length > 0) throw new ProblemError(problems);
  assertPlannedCalls(calls, context);
  const manager = context.manager(spec.url);
  for (const call of calls) {
    context.signal?.throwIfAborted();
    if (call.type === 'updateSettings') await sendSettings(call, manager, context);
    else await sendDeletion(call, manager, context);
  }
  return calls.length === 0 ? state : observe(spec, context);
}
