/** Totals of an apply, for its last line and for programs. */
import type { JournaledCall } from '../sync/journal.ts';
import { type ApplyResult, type CallOutcome, movedBy, outcomeOf } from '../sync/outcome.ts';
import { settingChanges } from './callRows.ts';

export interface ApplyTotals {
  /** Planned and sent or not. */
  calls: number;
  /** Took effect, as far as is known: done, accepted or partly. */
  made: number;
  refused: number;
  unknown: number;
  notSent: number;
  /** Distinct IPs that are known to have moved, and in how many calls. */
  ips: number;
  migrateCalls: number;
  settings: number;
  ports: number;
  /** Deliveries and schedules that were registered or changed, and that were removed. */
  registrations: number;
  removals: number;
  problems: number;
}

export function applyTotals({ resources }: ApplyResult): ApplyTotals {
  const made = resources.flatMap((resource) => resource.made);
  const notSent = resources.reduce((sum, { notMade }) => sum + notMade.length, 0);
  const moved = made.map(movedBy).filter((ips) => ips.length > 0);
  const count = (...outcomes: CallOutcome[]) => made.filter((call) => outcomes.includes(outcomeOf(call))).length;
  const effective = made.filter(tookEffect).map(({ call }) => call);
  return {
    calls: made.length + notSent,
    made: count('done', 'accepted', 'partly'),
    refused: count('refused'),
    unknown: count('unknown'),
    notSent,
    ips: new Set(moved.flat()).size,
    migrateCalls: moved.length,
    settings: effective.flatMap((call) => (call.type === 'updateSettings' ? settingChanges(call) : [])).length,
    ports: new Set(effective.flatMap((call) => (call.type === 'deletePorts' ? portsOf(call) : []))).size,
    registrations: effective.filter(({ type }) => type === 'register').length,
    removals: effective.filter(({ type }) => type === 'unregister').length,
    problems: resources.flatMap(({ problems }) => problems).length,
  };
}

/** Whether anything is not as it was to be. */
export function hasFailed({ resources }: ApplyResult): boolean {
  return resources.some(({ outcome, problems }) => ['failed', 'skipped'].includes(outcome) || problems.length > 0);
}

function tookEffect(journaled: JournaledCall): boolean {
  return ['done', 'accepted'].includes(outcomeOf(journaled));
}

/** Ports of two managers may have the same number. */
function portsOf({ manager, ports }: { manager: string; ports: readonly number[] }): string[] {
  return ports.map((port) => `${manager} ${port}`);
}
