import { expect, it } from 'vitest';
import { glossaryLinks, readTerms } from '../../scripts/site/remark/glossaryLinks.ts';
import type { MarkdownNode as Node } from '../../scripts/site/remark/node.ts';

const text = (value: string): Node => ({ type: 'text', value });

function linked(children: Node[], page: string): Node[] {
  const tree: Node = { type: 'root', children };
  glossaryLinks({ staged: '/staged', readTerms: () => readTerms('docs/glossary.md') })(tree, {
    path: `/staged/docs/${page}`,
  });
  return tree.children ?? [];
}

it('reads the terms of the glossary with their other forms', () => {
  const terms = readTerms('docs/glossary.md');
  expect(terms.get('guards')).toEqual(terms.get('guard'));
  expect(terms.get('live state')?.meaning).toMatch(/^What the service/);
  expect(terms.size).toBeGreaterThan(25);
});

it('links the first mention of each term, outside of links, headings and code', () => {
  const heading = { type: 'heading', children: [text('Drift')] };
  const [first, paragraph] = linked(
    [
      heading,
      { type: 'paragraph', children: [text('No drift, a guard, the drift.'), { type: 'inlineCode', value: 'run' }] },
    ],
    'recipes/a.md',
  );
  expect(first).toEqual(heading);
  const links = paragraph?.children?.filter(({ type }) => type === 'link').map(({ url }) => url);
  expect(links).toEqual(['../glossary.md#drift', '../glossary.md#guard']);
  expect(paragraph?.children?.at(-1)).toEqual({ type: 'inlineCode', value: 'run' });
});
