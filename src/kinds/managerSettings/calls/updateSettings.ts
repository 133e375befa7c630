import { formatPath } from '../../../base/diagnostics/path.ts';
import { counted, does } from '../../../base/diagnostics/valueWords.ts';
import { confirmedEffect, confirmedOutcome } from '../../call.ts';
import {
  type CallChange,
  type CallTotal,
  type CallType,
  changeSigns,
  changeWords,
  type Difference,
  driftWords,
  type PlanMode,
  type Remaining,
  type UndoCall,
  type Undoing,
} from '../../callType.ts';
import { type PropertyChange, propertyChanges } from '../../changes.ts';
import { concurrencyKeys } from '../../concurrencyKey.ts';
import { verifiedAgain } from '../../verifiedAgain.ts';
import { asProperties, differingSettings, inOrder, liveSettings, pick } from '../diff.ts';
import { managerSection, type UpdateSettingsCall, updateSettingsSchema } from './managerCalls.ts';
import { sendSettings } from './sendCalls.ts';

/** Each entry of an allow list is a change of its own. */
function settingChanges({ before, settings }: UpdateSettingsCall): PropertyChange[] {
  return propertyChanges(asProperties(before), asProperties(settings));
}

function callChange({ path: [name, entry], kind, before, after }: PropertyChange): CallChange {
  if (entry !== undefined) return { kind, name: String(name), [kind === 'add' ? 'after' : 'before']: String(entry) };
  const side = (value: unknown) => (value === undefined ? undefined : valueText(value));
  return { kind, name: String(name), before: side(before), after: side(after) };
}

/** Lists are compared as sets, so they arrive as objects. Text that could be mistaken for something else is quoted. */
function valueText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.keys(value).join(', ') || '[]';
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

function differences(call: UpdateSettingsCall, _: readonly PropertyChange[], mode: PlanMode): Difference[] {
  return settingChanges(call).map((change) => {
    const row = callChange(change);
    const sign = row.kind === 'change' ? '' : `${changeSigns[row.kind]} `;
    const words = mode === 'drift' ? driftWords(row) : sign + changeWords(row);
    return {
      key: ['setting', ...change.path.map(String)],
      text: `setting ${formatPath(change.path.slice(0, 1))}: ${words}`,
    };
  });
}

function inShort(change: CallChange): string {
  return `${change.name} ${change.kind === 'change' ? '' : changeSigns[change.kind]}${changeWords(change)}`;
}

const planned: Record<PlanMode, [one: string, many: string]> = {
  plan: ['changes', 'change'],
  destroy: ['changes', 'change'],
  drift: ['differs', 'differ'],
  undo: ['changes back', 'change back'],
};

const settings: CallTotal<UpdateSettingsCall> = {
  name: 'settings',
  description: {
    plan: 'Settings that change. In an allow list, each entry counts.',
    run: 'Settings that were changed.',
  },
  count: (calls) => calls.flatMap(settingChanges).length,
  words: {
    planned: (count, _, mode) => does(count, 'setting', ...planned[mode]),
    done: (count) => `${counted(count, 'setting')} changed`,
  },
};

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

export const updateSettings = {
  type: 'updateSettings',
  schema: updateSettingsSchema,
  key: ({ type, manager, settings, before }) => JSON.stringify([type, manager, inOrder(settings), inOrder(before)]),
  target: ({ manager }) => concurrencyKeys.manager(manager),
  billed: false,
  outcome: confirmedOutcome,
  effect: confirmedEffect,
  changes: settingChanges,
  invert: (call) => [{ ...call, settings: call.before, before: call.settings }],
  undo,
  section: managerSection,
  noEffect: 'nothing changed',
  describe: (call) => {
    const changes = settingChanges(call).map(callChange);
    return { subject: 'settings', place: call.manager, changes, items: changes.map(inShort) };
  },
  differences,
  totals: [settings],
} satisfies CallType<UpdateSettingsCall>;
