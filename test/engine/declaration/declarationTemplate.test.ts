/** The template that `webdata init --full` writes, of a small schema. */
import { expect, it } from 'vitest';
import type { JsonSchema } from '../../../src/engine/declaration/declarationSchema.ts';
import { declarationTemplate } from '../../../src/engine/declaration/declarationTemplate.ts';

const template = (properties: Record<string, JsonSchema>) => declarationTemplate({ properties });

it('has every field with its description, commented out, and collections that may stay empty', () => {
  const spec: JsonSchema = {
    description: 'One zone.',
    properties: {
      count: { description: 'How many IPs.', examples: [5, { us: 2, de: 3 }] },
      zones: {
        description: 'By name.',
        propertyNames: { examples: ['checkout'] },
        additionalProperties: { description: 'One of them.', properties: { size: { default: 7 } } },
      },
    },
  };
  const properties: Record<string, JsonSchema> = {
    name: { description: 'The owner.', examples: ['acme'] },
    allocations: { description: 'All zones.', anyOf: [{ additionalProperties: spec }, { type: 'null' }] },
  };
  expect(template(properties)).toBe(`
# The owner.
#name: acme

# All zones.
allocations:
  # One zone.
  #name:
    # How many IPs.
    # Or: { us: 2, de: 3 }
    #count: 5
    # By name.
    #zones:
      # One of them.
      #checkout:
        # ${''}
        #size: 7
`);
});

it('shows a field that excludes another one as a remark, and long fields by a hint alone', () => {
  expect(
    template({
      path: { description: 'A part.', examples: ['a.b', 'c'], alternativeTo: 'resource' },
      include: { description: 'Files.', examples: ['a.yaml'] },
      profile: { description: 'Details.', properties: { settleSeconds: { default: 1 } } },
    }),
  ).toBe(`
# A part.
# In place of resource: path: a.b

# Files that this one extends, such as [common.yaml, zones/*.yaml].
#include: []

# How this account differs from the specification: \`webdata doctor\` detects it and prints it to paste.
#profile: {}
`);
});

it('has a name for the entry of a map whose schema gives no example', () => {
  const entry: JsonSchema = { description: 'One.', default: 1 };
  const maps = [{}, { propertyNames: {} }, { propertyNames: { examples: [] } }];
  for (const more of maps) {
    const text = template({ a: { description: 'A.', additionalProperties: entry, ...more } });
    expect(text).toBe('\n# A.\n#a:\n  # One.\n  #name: 1\n');
  }
  expect(template({ a: { description: 'A.', additionalProperties: false, default: 2 } })).toBe('\n# A.\n#a: 2\n');
});

it('has values on one line each, with variables in quotes', () => {
  const value = (...examples: unknown[]) => template({ a: { description: 'A.', examples } }).split('\n')[2];
  expect(value(`\${WEBDATA_API_KEY}`)).toBe(`#a: "\${WEBDATA_API_KEY}"`);
  expect(value('12')).toBe('#a: "12"');
  expect(value('plain text')).toBe('#a: plain text');
  expect(value([{ url: 'https://a.example' }, ['b']])).toBe('#a: [ { url: https://a.example }, [ b ] ]');
  expect(value(Array.from({ length: 60 }, () => 'word'))).toContain('word, word ]');
  expect(template({ a: { description: 'A.', default: false, examples: [true] } })).toContain('\n#a: true\n');
});

it('wraps descriptions at 100 columns, which indentation counts towards', () => {
  const long = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  const lines = template({
    a: { description: long, properties: { b: { description: `${'x'.repeat(120)} y`, default: 1 } } },
    c: { description: `${'x'.repeat(97)} y`, default: 1 },
    d: { description: `${'x'.repeat(96)} y`, default: 1 },
  }).split('\n');
  const words = lines.filter((line) => line.includes('word'));
  expect(words.join(' ').replaceAll('# ', '')).toBe(long);
  expect(words.slice(0, -1).every((line) => line.length > 90 && line.length <= 100)).toBe(true);
  expect(lines).toContain(`  # ${'x'.repeat(120)}`);
  expect(lines).toContain('  # y');
  expect(lines).toContain(`# ${'x'.repeat(97)}`);
  expect(lines).toContain(`# ${'x'.repeat(96)} y`);
});
