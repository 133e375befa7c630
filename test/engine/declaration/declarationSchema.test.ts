// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** The JSON Schema for editors: it accepts what the tool accepts, before variables are replaced. */
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  declarationSchema,
  declaredSchema,
  identified,
  jsonSchemaOf,
  schemaText,
} from '../../../src/engine/declaration/declarationSchema.ts';

/** The names of the documents that an editor accepts. */
function accepted(documents: readonly (readonly [name: string, yaml: string])[]): string[] {
  const ajv = new Ajv({ strict: false });
  ajvFormats.default(ajv);
  const fits = ajv.compile(declarationSchema('1.2.3'));
  return documents.flatMap(([name, yaml]) => (fits(parse(yaml)) ? [name] : []));
}

const ips = (item: string) => `zoneIpAllocations: { a: { zones: { b: { ips: [${item}] } } } }`;
const logs = (value: string) => `managerSettings: { a: { logs: ${value} } }`;

const schedule = (field: string) =>
  `collectorSchedules: { a: { collector: c_a, cron: 0 3 * * *, inputs: [{ url: x }], ${field} } }`;

it('an editor accepts what the tool accepts', () => {
  const documents = [
    ['an empty collection', 'managerSettings:'],
    ['anchors at the top', 'x-logs: &logs { logs: 500 }\nx-list: [1]\nmanagerSettings: { a: *logs }'],
    ['a number', logs('5')],
    ['a variable in place of a number', logs('"${LOGS}"')],
    ['a variable in place of true or false', schedule('paused: "${P}"')],
    ['a variable in place of a choice', schedule('overlap: "${P}"')],
    ['a variable in a text with a format', 'service: { url: "https://${HOST}/v1" }'],
    ['a variable that is the whole text', 'service: { url: "${WEBDATA_API_URL}" }'],
    ['a variable in a list', ips('"${IP}"')],
    ['an address, a range and a network', ips('192.0.2.1, 192.0.2.4-192.0.2.9, 192.0.2.16/28')],
    ['a file', ips('{ file: a.txt }')],
    ['a file of callers', 'service: { zones: { a: { allowedCallers: [{ file: a.txt }] } } }'],
    ['entries of an allow list by file', 'managerSettings: { a: { whitelistIps: [{ file: a.txt }, 10.0.0.0/8] } }'],
  ] as const;
  expect(accepted(documents)).toEqual(documents.map(([name]) => name));
});

it('an editor marks what the tool refuses', () => {
  const documents = [
    ['an unknown key', 'nonsense: 1'],
    ['a text in place of a number', logs('five')],
    ['a variable within a number', logs('"5${LOGS}"')],
    ['two variables in place of a number', logs('"${A}${B}"')],
    ['a variable with a name that there cannot be', logs('"${5}"')],
    ['a URL of another protocol', 'service: { url: "ftp://a.example" }'],
    ['a text in the place of a variable', 'service: { url: "$${HOST}" }'],
    ['an unknown choice', schedule('overlap: never')],
    ['an address that is none', ips('a.example')],
    ['a file and a URL at once', ips('{ file: a, url: https://a.example }')],
    ['a file without a name', ips('{ file: }')],
    ['a command that is no list', ips('{ command: a }')],
    ['a URL that is no text', ips('{ url: 5 }')],
  ] as const;
  expect(accepted(documents)).toEqual([]);
});

it('a schema begins with its dialect, its id and its title', () => {
  const schema = declarationSchema('1.2.3');
  expect(Object.entries(schema).slice(0, 3)).toEqual([
    ['$schema', 'http://json-schema.org/draft-07/schema#'],
    ['$id', 'urn:webdata:declaration:1.2.3'],
    ['title', 'webdata declaration, 1.2.3'],
  ]);
  expect(identified('plan', '2', { $schema: 's', type: 'object' })).toEqual({
    $schema: 's',
    $id: 'urn:webdata:plan:2',
    title: 'webdata plan, 2',
    type: 'object',
  });
  expect(schemaText({ type: 'object', properties: {} })).toBe('{\n  "type": "object",\n  "properties": {}\n}\n');
});

it('a schema shows descriptions beside the alternatives, and each variable once', () => {
  const schema = declarationSchema('1.2.3');
  const variable = {
    type: 'string',
    pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
    description: 'An environment variable.',
  };
  const { url } = schema.properties?.service?.properties ?? {};
  expect(url).toMatchObject({
    description: expect.stringContaining('The URL of the service'),
    examples: ['https://api.example.com'],
    anyOf: [
      { type: 'string', format: 'uri' },
      { type: 'string', pattern: `(^|[^$])${variable.pattern.slice(1, -1)}` },
    ],
  });
  expect(Object.keys(url ?? {}).sort()).toEqual(['anyOf', 'description', 'examples', 'markdownDescription']);
  const price = schema.properties?.prices?.properties?.move;
  expect(price?.anyOf).toEqual([{ type: 'number', minimum: 0 }, variable]);
});

it('a schema of values has no variables, and no limits of the language', () => {
  expect(declaredSchema().properties?.prices?.properties?.move).toMatchObject({ type: 'number', minimum: 0 });
  const numbers = z.object({ any: z.int(), some: z.int().min(1).max(9), later: z.number().default(3) });
  expect(jsonSchemaOf(numbers)).toMatchObject({
    required: ['any', 'some'],
    properties: { any: { type: 'integer' }, some: { minimum: 1, maximum: 9 }, later: { default: 3 } },
  });
  expect(jsonSchemaOf(numbers).properties?.any).toEqual({ type: 'integer' });
});
