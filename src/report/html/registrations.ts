/** The deliveries and schedules that change in the trigger service, property by property. */
import { formatPath } from '../../input/path.ts';
import { isRegistration } from '../../resources/call.ts';
import type { ResourcePlan } from '../../sync/plan.ts';
import { placeOfCalls } from '../callRows.ts';
import { registrationChanges } from '../registrationRows.ts';
import type { Report } from '../report.ts';
import type { TextOptions } from '../style.ts';
import { type Content, markup } from './markup.ts';
import { changeRow, kinds } from './settings.ts';
import { foldedTable, type Section } from './tables.ts';

export function registrationSection(report: Report, options: TextOptions): Section[] {
  const { resources } = report.about === 'run' ? report.result.plan : report.plan;
  const changed = resources.filter(({ calls }) => calls.some(isRegistration));
  if (changed.length === 0) return [];
  const body = changed.map((resource) => resourceTable(resource, options));
  return [{ id: 'registrations', title: 'Deliveries and schedules', body }];
}

function resourceTable(resource: ResourcePlan, options: TextOptions): Content {
  const title = formatPath([resource.collection, resource.name]);
  const table = {
    caption: `Changes of ${title}`,
    head: markup`<th scope="col">Property</th><th scope="col">Change</th><th scope="col">Before</th><th scope="col">After</th>`,
    rows: registrationChanges(resource).map(({ name, kind, before = '', after = '' }) =>
      changeRow(name, kinds[kind], [before, after], undefined),
    ),
    noun: 'change',
    open: 100,
    most: 2_000,
    leftOut: 'The JSON report has all of them.',
  };
  return [
    markup`<h3>${title} <span class="quiet">${placeOfCalls(resource.calls)}</span></h3>\n`,
    foldedTable(table, options),
  ];
}
