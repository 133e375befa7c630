import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, isNode, parseDocument, visit } from 'yaml';
import { foldAddresses } from '../../../src/base/yaml/folds.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';

const parse = (text: string) => parseDocument(text, { logLevel: 'error', uniqueKeys: false, prettyErrors: false });

/** Every node with where it starts and what it holds, and every error with where it stands. */
function shapeOf(doc: Document): unknown {
  const nodes: unknown[] = [];
  visit(doc, {
    Node: (key, node) =>
      void nodes.push([key, node.constructor.name, node.range?.[0], isNode(node) && node.toString()]),
  });
  return { nodes, errors: doc.errors.map(({ code, pos }) => [code, pos[0]]) };
}

const address = (index: number) => `192.0.${index >> 8}.${index & 255}`;
const list = (count: number, lead: string, end = '\n') =>
  Array.from({ length: count }, (_, index) => lead + address(index) + end).join('');

/** Parts of files that hold long lists of addresses, or what only looks like one. */
const part = fc.oneof(
  fc
    .record({ count: fc.nat(30), indent: fc.nat(4), end: fc.constantFrom('\n', '\r\n', ' # here\n', '  \n') })
    .map(({ count, indent, end }) => list(count, `${' '.repeat(indent)}- `, end)),
  fc.constantFrom(
    'a:\n',
    '  b:\n',
    'text: |\n',
    '  text: >-\n',
    'plain: some\n',
    'quoted: "x\n',
    '"\n',
    'flow: [\n',
    ']\n',
    '    more\n',
    '  - 1.5\n',
    '- c: d\n',
    '- - 192.0.2.1\n',
    '# note\n',
    '\n',
  ),
);

describe('long lists of addresses', () => {
  it('are read as the parser reads them, wherever they stand, and so are the places of mistakes', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        const doc = foldAddresses(text).document(parse);
        if (doc) expect(shapeOf(doc)).toEqual(shapeOf(parse(text)));
      }),
      { numRuns: 500, examples: [[['flow: [\n', '  - 192.0.0.0 # here\n', list(8, '  - ')]]] },
    );
  });

  it('are not shown to the parser, but for their ends', () => {
    const text = `a:\n${list(1000, '  - ')}b: 1\n${list(1000, '- ')}`;
    expect(foldAddresses(text).text).toBe(
      `a:\n  - ${address(0)}\n  - ${address(999)}\nb: 1\n- ${address(0)}\n- ${address(999)}\n`,
    );
  });

  it('may fill a file that is larger than the parser would take, and each of them has its place', () => {
    const source = readYaml(`ips:\n${list(60_000, `${' '.repeat(80)}- `)}end: 1\n`, 'w.yaml');
    expect((source.value as { ips: string[] }).ips).toHaveLength(60_000);
    expect(source.locationOf(['ips', 40_000])).toEqual({ file: 'w.yaml', line: 40_002, column: 83 });
    expect(source.locationOf(['end'])).toMatchObject({ line: 60_002 });
  });

  it('in a text over several lines stay that text', () => {
    const text = list(20, '  - ');
    expect(readYaml(`a: |\n${text}b: 1\n`, 'w.yaml').value).toEqual({ a: text.replaceAll(/^ {2}/gm, ''), b: 1 });
  });
});
