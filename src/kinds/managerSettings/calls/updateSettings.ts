import { type SettingName, settingNames } from '../../../client/areas/manager/settings.ts';
import { wholeResult } from '../../seam/call.ts';
import type { CallType, Inverse, Remaining, UndoCall, Undoing } from '../../seam/callType.ts';
import { type PropertyChange, propertyChanges } from '../../seam/changes.ts';
import { concurrencyKeys } from '../../seam/concurrencyKey.ts';
import { verifiedAgain } from '../../seam/verifiedAgain.ts';
import { asProperties, differingSettings, inOrder, liveSettings, pick } from '../diff.ts';
import { type UpdateSettingsCall, updateSettingsSchema } from './managerCalls.ts';
import { sendSettings } from './sendCalls.ts';

/** Each entry of an allow list is a change of its own. */
export function settingChanges({ before, settings }: UpdateSettingsCall): PropertyChange[] {
  return propertyChanges(asProperties(before), asProperties(settings));
}

const undo: UndoCall<UpdateSettingsCall> = {
  remaining,
  joins: () => false,
  async send(step, undoing) {
    const { context } = undoing;
    const call = await verifiedAgain(step, undoing, remaining);
    if (call !== undefined) await sendSettings(call, context.manager(call.manager), context);
  },
};

async function remaining(call: UpdateSettingsCall, { context }: Undoing): Promise<Remaining<UpdateSettingsCall>> {
  const { settings: read } = await context.manager(call.manager).readSettings();
  const live = liveSettings(read);
  const names = differingSettings(call.settings, live);
  if (names.length === 0) return { problems: [] };
  const before = pick(call.before, names);
  const problems = differingSettings(before, live).map((name) => ({
    code: 'changed-since',
    path: [name],
    found: `${name} is ${JSON.stringify(live[name])} now, but the run left it at ${JSON.stringify(before[name])}`,
    allowed: 'undoing changes that are still as the run left them',
    fix: 'declare what it should be and apply',
  }));
  return { call: { ...call, settings: pick(call.settings, names), before }, problems };
}

/** A setting that was not set before stays: the manager's API cannot unset one. */
function invert(call: UpdateSettingsCall): Inverse<UpdateSettingsCall> {
  const { settings, before } = call;
  const isKnown = (name: SettingName) => before[name] !== undefined;
  const sent = settingNames.filter((name) => settings[name] !== undefined);
  const known = sent.filter(isKnown);
  return {
    calls: known.length === 0 ? [] : [{ ...call, settings: before, before: pick(settings, known) }],
    notes: sent
      .filter((name) => !isKnown(name))
      .map((name) => ({
        code: 'left-as-is',
        text: `${name} was not set before the run and stays at ${JSON.stringify(settings[name])}: it cannot be unset`,
      })),
  };
}

export const updateSettings = {
  type: 'updateSettings',
  schema: updateSettingsSchema,
  key: ({ type, manager, settings, before }) => JSON.stringify([type, manager, inOrder(settings), inOrder(before)]),
  target: ({ manager }) => concurrencyKeys.manager(manager),
  billed: false,
  flow: () => undefined,
  result: wholeResult,
  facts: () => undefined,
  isObserved: () => true,
  changes: settingChanges,
  invert,
  undo,
} satisfies CallType<UpdateSettingsCall>;
