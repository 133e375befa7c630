/**
 * `ManagerSettings`: settings of a local proxy manager, and ports that must not exist (specification, F). Live state:
 * `/api/settings`, and the ports as far as the manager shows them.
 */

import { renderFix } from '../../base/diagnostics/fix.ts';
import { assertNoProblems, type Problem } from '../../base/diagnostics/problem.ts';
import { repeats } from '../../base/values/repeats.ts';
import { urlKey } from '../../base/values/serverUrl.ts';
import { type ManagerSettingsPatch, settingOf } from '../../client/areas/manager/settings.ts';
import { ServiceError } from '../../client/errors.ts';
import { profileYaml } from '../../client/profile.ts';
import { shown } from '../../client/reading/misfits.ts';
import { accountView } from '../seam/accountView.ts';
import { covers } from '../seam/addresses.ts';
import { assertPlannedCalls } from '../seam/approvedCalls.ts';
import type { Call } from '../seam/call.ts';
import { concurrencyKeys } from '../seam/concurrencyKey.ts';
import type { Context, Defaults } from '../seam/context.ts';
import type { Diff, Kind } from '../seam/kind.ts';
import { inferredProfileNote, type Note } from '../seam/notes.ts';
import { deletedPortsTopic, deletePorts } from './calls/deletePorts.ts';
import { type DeletePortsCall, deletePortsCall, type UpdateSettingsCall } from './calls/managerCalls.ts';
import { sendDeletion, sendSettings } from './calls/sendCalls.ts';
import { updateSettings } from './calls/updateSettings.ts';
import { differingSettings, inOrder, liveSettings, pick, unseenSettings, wantedSettings } from './diff.ts';
import { type ManagerSettingsSpec, type ManagerSettingsState, managerSettingsSpec } from './spec.ts';

type Spec = ManagerSettingsSpec;
type State = ManagerSettingsState;

export const managerSettings = {
  name: 'ManagerSettings',
  collection: 'managerSettings',
  get spec() {
    return managerSettingsSpec();
  },
  calls: [updateSettings, deletePorts],
  guards: {
    scopes: { 'self-lockout': 'every' },
    broken: (_spec, state, calls) => calls.flatMap((call) => (isUpdate(call) ? lockedOut(call.settings, state) : [])),
    // Its guards are of scope `every`: whether a call is its own decides nothing.
    couldMake: () => false,
  },
  conflicts: sameManagerTwice,
  concurrencyKey: (spec, context) => concurrencyKeys.manager(context.manager(spec.url).url),
  observe,
  diff,
  fingerprint: ({ manager, settings, ports }) => ({
    [`settings of ${manager}`]: inOrder(liveSettings(settings)),
    [`ports of ${manager}`]: ports && [...ports].toSorted((a, b) => a - b),
  }),
  converge: convergeSettings,
  removal: {
    diff: () => ({ changes: [], calls: [], notes: [settingsStay], problems: [] }),
    async send() {},
  },
} satisfies Kind<Spec, State>;

function isUpdate(call: Call): call is UpdateSettingsCall {
  return call.type === 'updateSettings';
}

function sameManagerTwice(specs: ReadonlyMap<string, Spec>, { managerUrl }: Defaults): Problem[] {
  const managers = [...specs].flatMap(([name, { url = managerUrl }]) =>
    url !== undefined && URL.canParse(url) ? [{ name, url }] : [],
  );
  return repeats(managers, ({ url }) => urlKey(url)).map(({ item: { name, url }, first }) => ({
    code: 'manager-twice',
    path: [name],
    found: `the manager at ${new URL(url).host} is declared twice`,
    allowed: 'one entry for each manager',
    also: [{ path: [first.name], what: 'is the other one' }],
  }));
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
    ...(update ? updateSettings.changes(update) : []),
    ...(deletion ? deletePorts.changes(deletion) : []),
  ];
  const calls = [update, deletion].filter((call) => call !== undefined);
  const problems = [...unseenProblems(spec, state), ...lockedOut(update?.settings ?? {}, state)];
  return { changes, calls, notes: notesOn(spec, state), problems };
}

function settingsCall(spec: Spec, { manager, settings }: State): UpdateSettingsCall | undefined {
  const [wanted, live] = [wantedSettings(spec, settings), liveSettings(settings)];
  const differing = differingSettings(wanted, live);
  if (differing.length === 0) return undefined;
  return { type: 'updateSettings', manager, settings: pick(wanted, differing), before: pick(live, differing) };
}

/** Declared settings that the manager does not show cannot be compared. */
export function unseenProblems(spec: Spec, { manager, settings, readBy }: State): Problem[] {
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
async function convergeSettings(spec: Spec, context: Context<Spec>): Promise<State> {
  const state = await observe(spec, context);
  const { calls, problems } = diff(spec, state);
  assertNoProblems(problems);
  assertPlannedCalls(calls, context);
  const manager = context.manager(spec.url);
  for (const call of calls) {
    context.signal?.throwIfAborted();
    if (call.type === 'updateSettings') await sendSettings(call, manager, context);
    else await sendDeletion(call, manager, context);
  }
  return calls.length === 0 ? state : observe(spec, context);
}
