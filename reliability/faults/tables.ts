/** The matrix as tables of the page: counted by kind of call and group of faults, and by scenario. */
import type { Table } from '../frame/campaign.ts';
import type { Judged } from './cell.ts';
import type { Cell } from './rules.ts';

export interface CellResult {
  cell: Cell;
  judged: Judged;
}

type Results = readonly CellResult[];

export function tablesOf(results: Results): Table[] {
  return [byOutcome(results), byCall(results), byFront(results)];
}

const kinds = ['read', 'idempotent write', 'paid move', 'trigger'] as const;

function byOutcome(results: Results): Table {
  const groups = [...new Set(results.map(({ cell }) => cell.fault.group))];
  const cell = (group: string, kind: (typeof kinds)[number]) => {
    const its = results.filter(({ cell }) => cell.fault.group === group && cell.call.kind === kind);
    return outcomes.flatMap((outcome) => {
      const count = its.filter(({ judged }) => judged.expected === outcome).length;
      return count === 0 ? [] : [`${count} ${outcome}`];
    });
  };
  return {
    title:
      'Cells by outcome: absorbed (the same output and effect as without the fault), reported (the command fails and says why), worked around (there was another way), or passed on (the answer is returned as it came).',
    heads: ['fault', ...kinds],
    rows: groups.map((group) => [group, ...kinds.map((kind) => cell(group, kind).join(', '))]),
  };
}

const outcomes = ['absorbed', 'reported', 'worked around', 'passed on'] as const;

function byCall(results: Results): Table {
  const calls = [...new Set(results.map(({ cell }) => cell.call))];
  const rows = calls.map((call) => {
    const its = results.filter(({ cell }) => cell.call === call);
    const makers = new Set(its.map(({ cell }) => cell.scenario));
    const faults = new Set(its.map(({ cell }) => cell.fault));
    return [call.name, call.kind, makers.size, faults.size, its.length];
  });
  return {
    title: 'Calls, by the number of commands, handlers and triggers that send them:',
    heads: ['call', 'kind', 'made by', 'faults', 'cells'],
    rows: rows.toSorted(([one], [other]) => String(one).localeCompare(String(other))),
  };
}

function byFront(results: Results): Table {
  const scenarios = [...new Set(results.map(({ cell }) => cell.scenario))];
  return {
    title: 'Commands, handlers and triggers that send calls:',
    heads: ['what', 'front', 'calls', 'cells'],
    rows: scenarios.map((scenario) => {
      const its = results.filter(({ cell }) => cell.scenario === scenario);
      return [`\`${scenario.name}\``, scenario.front, new Set(its.map(({ cell }) => cell.call)).size, its.length];
    }),
  };
}
