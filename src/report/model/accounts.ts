/** The reports of several accounts that one command with `--all` made. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import { printable } from '../../base/values/printable.ts';
import { hasChanges, isDrift } from '../../engine/doors/plan.ts';
import { portable } from './locations.ts';
import { isFailure, type PlanReport, type Report, type ReportFormat } from './report.ts';
import type { TableSection } from './sectionTypes.ts';
import type { TextOptions } from './style.ts';
import { summaryOf } from './summary.ts';
import { type ReportState, tableOf } from './tables.ts';

export interface AccountsReport {
  command: 'plan' | 'apply' | 'drift';
  /** The version of this tool. */
  version: string;
  /** ISO 8601, in UTC. */
  createdAt?: string | undefined;
  /** In the order of the names of their files. */
  accounts: readonly AccountReport[];
}

export interface AccountReport {
  /** The name of the account, or of the file if the file cannot be read. */
  account: string;
  /** The declaration. */
  file: string;
  exitCode: 0 | 1 | 2;
  /** The last report: of the run if there was one. */
  report: Report;
  /** The plan of a run, if it is to be shown with the run. */
  before?: PlanReport | undefined;
}

/** Formats the reports of several accounts: a section for each, and a summary. */
export type AccountsFormat = (report: AccountsReport, options: TextOptions) => string;

/** A format: of the report of one account, and of the reports of several. */
export interface FormatFunctions {
  one: ReportFormat;
  accounts: AccountsFormat;
}

/** Returns the functions of a format whose documents leave the machine: with printable text, and without absolute paths. */
export function documentFormat(functions: FormatFunctions): FormatFunctions {
  return printableFormat(functions, (report) => printable(portable(report)));
}

/** Returns the functions of a format whose reports have no text that can control a terminal. */
export function printableFormat(
  { one, accounts }: FormatFunctions,
  safe: (report: Report) => Report = printable,
): FormatFunctions {
  const safeAccount = ({ account, file, report, before, ...each }: AccountReport): AccountReport => ({
    ...each,
    ...printable({ account, file }),
    report: safe(report),
    before: before && printable(before),
  });
  return {
    one: (report, options) => one(safe(report), options),
    accounts: (report, options) => accounts({ ...report, accounts: report.accounts.map(safeAccount) }, options),
  };
}

/** Returns the state of a report in one or two words. */
export function stateOf(report: Report): ReportState {
  if (report.about === 'run')
    return isFailure(report) ? { kind: 'failed', words: 'failed' } : { kind: 'done', words: 'done' };
  if (isFailure(report)) return { kind: 'failed', words: 'blocked' };
  const isDriftCheck = report.mode === 'drift';
  const isChanged = isDriftCheck
    ? report.plan.resources.some((each) => isDrift(each, report))
    : hasChanges(report.plan);
  const noun = isDriftCheck ? 'drift' : 'changes';
  return isChanged ? { kind: 'change', words: noun } : { kind: 'done', words: `no ${noun}` };
}

/** Returns the state of an account. A command that failed although its report has no problem was declined or could not be recorded. */
export function accountState({ report, exitCode }: AccountReport): ReportState {
  const state = stateOf(report);
  return exitCode === 1 && state.kind !== 'failed' ? { kind: 'failed', words: 'not applied' } : state;
}

export function accountsTable({ accounts }: Pick<AccountsReport, 'accounts'>): TableSection {
  const table = tableOf(
    accounts.map((each, index) => ({ ...each, id: accountId(index) })),
    [
      { name: 'Account', cell: ({ account, id }) => ({ name: account, id }) },
      { name: 'State', cell: (each) => accountState(each) },
      { name: 'Summary', cell: ({ report }) => summaryOf(report) },
    ],
  );
  return { is: 'table', id: 'summary', title: 'Accounts', ...table, nouns: { item: 'account' } };
}

export function accountId(index: number): string {
  return `account-${index + 1}`;
}

const titles = { plan: 'Plan', apply: 'Apply', drift: 'Drift' };

/** Returns the summary in one line: `Plan of 3 accounts: changes in 1, no changes in 2.` It has no text from outside. */
export function accountsSummary({ command, accounts }: AccountsReport): string {
  const states = Map.groupBy(accounts, (account) => accountState(account).words);
  const parts = [...states].map(([words, its]) => `${words} in ${its.length}`);
  return `${titles[command]} of ${counted(accounts.length, 'account')}: ${parts.join(', ')}.`;
}
