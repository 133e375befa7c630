/** The settings that change and the ports that are deleted, before and after. */
import { formatPath } from '../../input/path.ts';
import { type Call, type DeletePortsCall, isRegistration, type UpdateSettingsCall } from '../../resources/call.ts';
import type { PropertyChange } from '../../resources/changes.ts';
import type { ResourceId } from '../../sync/plan.ts';
import { settingChanges } from '../callRows.ts';
import { outcomeWords } from '../outcomeWords.ts';
import type { Report } from '../report.ts';
import { styleOf, type TextOptions } from '../style.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { foldedTable, type Section } from './tables.ts';

export function settingsSection(report: Report, options: TextOptions): Section[] {
  const changed = settingCallsIn(report).filter(({ calls }) => calls.length > 0);
  if (changed.length === 0) return [];
  const isRun = report.about === 'run';
  const body = changed.map((resource) => resourceTable(resource, isRun, options));
  return [{ id: 'settings', title: 'Settings of proxy managers', body }];
}

interface SettingCall {
  call: UpdateSettingsCall | DeletePortsCall;
  /** Of a run. */
  outcome?: string;
}

interface Changed extends ResourceId {
  calls: SettingCall[];
}

function settingCallsIn(report: Report): Changed[] {
  const only = (call: Call, outcome?: string) =>
    call.type === 'migrate' || isRegistration(call) ? [] : [{ call, outcome: outcome ?? '' }];
  if (report.about === 'plan') {
    return report.plan.resources.map((each) => ({ ...each, calls: each.calls.flatMap((call) => only(call)) }));
  }
  const style = styleOf({ color: false });
  return report.result.resources.map((each) => ({
    ...each,
    calls: [
      ...each.made.flatMap((journaled) => only(journaled.call, outcomeWords(journaled, style))),
      ...each.notMade.flatMap((call) => only(call, 'not sent')),
    ],
  }));
}

function resourceTable({ collection, name, calls }: Changed, isRun: boolean, options: TextOptions): Content {
  const title = formatPath([collection, name]);
  const table = {
    caption: `Changes of ${title}`,
    head: markup`<th scope="col">Setting</th><th scope="col">Change</th><th scope="col">Before</th><th scope="col">After</th>${isRun && markup`<th scope="col">Outcome</th>`}`,
    rows: calls.flatMap(({ call, outcome }) => callRows(call, isRun ? markup`<td>${outcome}</td>` : undefined)),
    noun: 'change',
    open: 100,
    most: 2_000,
    leftOut: 'The JSON report has all of them.',
  };
  return [
    markup`<h3>${title} <span class="quiet">${calls[0]?.call.manager}</span></h3>\n`,
    foldedTable(table, options),
  ];
}

export const kinds = {
  add: { mark: '+', word: 'added', shown: 'added' },
  remove: { mark: '−', word: 'removed', shown: 'removed' },
  change: { mark: '~', word: 'changed', shown: 'changed' },
} as const;

function callRows(call: SettingCall['call'], outcome: Content): Markup[] {
  if (call.type === 'updateSettings') return settingChanges(call).map((change) => settingRow(change, outcome));
  return call.ports.map((port) =>
    changeRow(`port ${port}`, { ...kinds.remove, word: 'deleted' }, [String(port), ''], outcome),
  );
}

/** An entry of a list is a value of its own. */
function settingRow({ path: [setting, entry], kind, before, after }: PropertyChange, outcome: Content): Markup {
  const value = (side: unknown) => (side === undefined ? '' : entry === undefined ? valueText(side) : String(entry));
  return changeRow(String(setting), kinds[kind], [value(before), value(after)], outcome);
}

export function changeRow(
  name: string,
  { mark, word, shown }: { mark: string; word: string; shown: string },
  [before, after]: [string, string],
  outcome: Content,
): Markup {
  return markup`<tr><th scope="row">${name}</th><td class="${shown}">${mark} ${word}</td><td>${before !== '' && markup`<del>${before}</del>`}</td><td>${after !== '' && markup`<ins>${after}</ins>`}</td>${outcome}</tr>
`;
}

/** Lists were made sets, to be compared. */
function valueText(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : String(value);
  return text === '' ? '(empty)' : text;
}
