/** The properties that calls change, resource by resource. */

import type { CallChange } from '../../kinds/seam/callWords.ts';
import { placeOfCalls } from '../model/calls.ts';
import type { ChangedResource } from '../model/changedResources.ts';
import type { ChangeSection } from '../model/sectionTypes.ts';
import type { Style } from '../model/style.ts';
import { type Content, type Markup, markup, sentence } from './markup.ts';
import { foldedTable } from './tables.ts';

export function changeBody({ items, isDrift }: ChangeSection, style: Style): Content {
  return items.map((resource) => resourceTable(resource, isDrift, style));
}

function resourceTable({ title, calls }: ChangedResource, isDrift: boolean, style: Style): Content {
  const isRun = calls.some(({ result }) => result !== undefined);
  const [before, after] = isDrift ? ['Live', 'Declared'] : ['Before', 'After'];
  const table = {
    caption: `Changes of ${title}`,
    columns: ['Property', isDrift ? 'Difference' : 'Change', before, after, ...(isRun ? ['Outcome'] : [])].map(
      (name) => ({
        name,
      }),
    ),
    rows: calls.flatMap(({ changes, result }) =>
      changes.map((change) => changeRow(change, isDrift, result && markup`<td>${sentence(result.words)}</td>`)),
    ),
    noun: 'change',
    open: 100,
    most: 2_000,
  };
  const place = placeOfCalls(calls);
  return [markup`<h3>${title} <span class="quiet">${place}</span></h3>\n`, foldedTable(table, style)];
}

const kinds = {
  add: { mark: '+', word: 'added', differs: 'not live' },
  remove: { mark: '−', word: 'removed', differs: 'not declared' },
  change: { mark: '~', word: 'changed', differs: 'differs' },
} as const;

function changeRow({ kind, name, before = '', after = '' }: CallChange, isDrift: boolean, outcome: Content): Markup {
  const { mark, word, differs } = kinds[kind];
  return markup`<tr><th scope="row" class="property">${name}</th><td class="${word}">${isDrift ? differs : `${mark} ${word}`}</td><td>${before !== '' && markup`<del>${before}</del>`}</td><td>${after !== '' && markup`<ins>${after}</ins>`}</td>${outcome}</tr>
`;
}
