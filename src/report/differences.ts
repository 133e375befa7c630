/** What differs in a resource, one sentence each: a pair of zones, a setting, an entry of a list, a port. */
import { formatPath } from '../input/path.ts';
import { type Call, isRegistration, type RegistrationCall } from '../resources/call.ts';
import { isAmiss, type Note } from '../resources/kind.ts';
import type { ResourcePlan } from '../sync/plan.ts';
import { plannedRows, settingChanges } from './callRows.ts';
import { type Pair, pairsOf } from './pairs.ts';
import { registrationChanges } from './registrationRows.ts';
import type { PlanMode, PlanReport } from './report.ts';
import { styleOf } from './style.ts';
import { does, ipWords } from './words.ts';

export interface Difference {
  /** What it is about, whatever the numbers: the same in the next report. */
  key: string[];
  text: string;
}

export function differencesOf(resource: ResourcePlan, mode: PlanMode): Difference[] {
  const { calls } = resource;
  return [
    ...pairsOf(calls).map((pair) => ({ key: ['pair', pair.from, pair.to], text: pairText(pair, mode) })),
    ...calls.flatMap((call) => managerDifferences(call, mode)),
    ...calls.filter(isRegistration).map((call) => registrationDifference(call, resource, mode)),
  ];
}

/** Whether the resource is otherwise than declared, as the exit code of `drift` has it. */
export function isDrift({ calls, notes }: ResourcePlan, report: Pick<PlanReport, 'strict'>): boolean {
  return calls.length > 0 || notes.some((note) => isDriftNote(note, report));
}

/** Whether it is otherwise than declared, though nothing would be called. */
export function isDriftNote(note: Note, { strict = false }: Pick<PlanReport, 'strict'>): boolean {
  return isAmiss(note) || (strict && note.code === 'unmanaged');
}

const style = styleOf({ color: false });

const pairWords: Record<PlanMode, (count: number, from: string, to: string) => string> = {
  plan: (count, from, to) => `${does(count, 'IP', 'moves', 'move')} from ${from} to ${to} (may incur charges)`,
  drift: (count, from, to) => `${does(count, 'IP', 'is', 'are')} in ${from} and not in ${to}`,
  destroy: (count, from, to) =>
    `${does(count, 'IP', 'is released', 'are released')} from ${from} to ${to} (may incur charges)`,
  undo: (count, from, to) =>
    `${does(count, 'IP', 'moves back', 'move back')} from ${from} to ${to} (may incur charges)`,
};

function pairText({ from, to, moves }: Pair, mode: PlanMode): string {
  return `${pairWords[mode](moves.length, from, to)}: ${ipWords(moves, style).join(' ')}`;
}

function managerDifferences(call: Call, mode: PlanMode): Difference[] {
  if (call.type === 'deletePorts') {
    const fate = mode === 'drift' ? 'exists and must not' : 'is deleted';
    return call.ports.map((port) => ({ key: ['port', String(port)], text: `port ${port} ${fate}` }));
  }
  if (call.type !== 'updateSettings') return [];
  const rows = plannedRows({ calls: [call], changes: [] }, style);
  return settingChanges(call).map(({ path }, index) => ({
    key: ['setting', ...path.map(String)],
    text: `setting ${formatPath(path.slice(0, 1))}: ${settingText(rows[index])}`,
  }));
}

function registrationDifference(call: RegistrationCall, resource: ResourcePlan, mode: PlanMode): Difference {
  const { record, name } = call;
  const key = ['registration', record, name];
  if (call.type === 'unregister') return { key, text: `the ${record} ${name} is removed` };
  if (call.before === null)
    return { key, text: `the ${record} ${name} is ${mode === 'drift' ? 'not ' : ''}registered` };
  const names = registrationChanges(resource).map((change) => change.name);
  const fate = mode === 'drift' ? 'is registered otherwise' : 'changes';
  return { key, text: `the ${record} ${name} ${fate}: ${names.join(', ')}` };
}

/** `1000 -> 500`, `+ 10.0.0.0/8`. */
function settingText(row: ReturnType<typeof plannedRows>[number] | undefined): string {
  const sign = row?.cells[0]?.[0] ?? '';
  return [...(sign === '~' ? [] : [sign]), ...(row?.words ?? [])].join(' ');
}
