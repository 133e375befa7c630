/** The words and totals of calls to a proxy manager. */
import { counted, does } from '../../../base/diagnostics/valueWords.ts';
import {
  type CallChange,
  type CallTotal,
  type CallWords,
  changeSigns,
  changeWords,
  type PlanMode,
  type ReportSection,
} from '../../seam/callWords.ts';
import type { PropertyChange } from '../../seam/changes.ts';
import type { DeletePortsCall, UpdateSettingsCall } from './managerCalls.ts';
import { settingChanges } from './updateSettings.ts';

const section: ReportSection = { id: 'settings', title: 'Settings of proxy managers' };

function callChange({ path: [name, entry], kind, before, after }: PropertyChange): CallChange {
  if (entry !== undefined) return { kind, name: String(name), [kind === 'add' ? 'after' : 'before']: String(entry) };
  return { kind, name: String(name), before: valueText(before), after: valueText(after) };
}

/** Lists are compared as sets, so they arrive as objects. Text that could be mistaken for something else is quoted. */
function valueText(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return Object.keys(value).join(', ') || '[]';
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
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

export const updateSettingsWords: CallWords<UpdateSettingsCall> = {
  section,
  noEffect: 'nothing changed',
  describe: (call) => {
    const changes = settingChanges(call).map(callChange);
    return { subject: 'settings', place: call.manager, changes, items: changes.map(inShort) };
  },
  totals: [settings],
};

const ports: CallTotal<DeletePortsCall> = {
  name: 'ports',
  description: { plan: 'Ports that are deleted.', run: 'Ports that were deleted.' },
  // Ports of two managers may have the same number.
  count: (calls) => new Set(calls.flatMap((call) => call.ports.map((port) => `${call.manager} ${port}`))).size,
  words: {
    planned: (count, _, mode) =>
      mode === 'drift'
        ? does(count, 'port', 'exists that must not', 'exist that must not')
        : does(count, 'port', 'is deleted', 'are deleted'),
    done: (count) => `${counted(count, 'port')} deleted`,
  },
};

export const deletePortsWords: CallWords<DeletePortsCall> = {
  section,
  noEffect: 'nothing deleted',
  describe: (call) => ({
    subject: 'ports',
    place: call.manager,
    changes: call.ports.map((port) => ({ kind: 'remove', name: 'port', before: String(port), isForbidden: true })),
    items: call.ports.map(String),
  }),
  totals: [ports],
};
