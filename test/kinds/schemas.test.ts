/**
 * The schemas of each kind, as editors, `webdata schema` and the documentation show them. The golden files are written by
 * `npx vitest run test/kinds/schemas.test.ts -u`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the documentation and the golden files have the schemas, calls and notes of every kind', async () => {
  const { z } = await import('zod');
  const { withTables } = await import('../../scripts/docs/declaration.ts');
  const { storedOf } = await import('../../providers/core/stored/table.ts');
  const { kinds } = await import('../../src/kinds/knownKinds.ts');
  const { jsonSchemaOf } = await import('../../src/engine/declaration/declarationSchema.ts');
  const page = readFileSync('docs/declaration.md', 'utf8');
  expect(withTables(page), 'docs/declaration.md is out of date: run `npm run docs`').toBe(page);
  expect(kinds).toHaveLength(4);
  const { callWords } = await import('../../src/kinds/seam/callWords.ts');
  const { shortLists } = await import('../../src/kinds/seam/shortLists.ts');
  for (const kind of kinds) {
    const { collection, spec, calls, guards } = kind;
    const words = calls.map(callWords.of);
    const schemas = {
      declaration: jsonSchemaOf(spec),
      shortItems: shortLists.of(kind)?.schemas,
      calls: calls.map((call) => jsonSchemaOf(callWords.of(call).document?.schema() ?? call.schema(z.object))),
      storedCalls: calls
        .filter((call) => callWords.of(call).document)
        .map(({ schema }) => jsonSchemaOf(schema(z.object))),
      sections: words.map(({ section, noEffect }) => ({ section, noEffect })),
      totals: words.flatMap(({ totals }) => totals.map(({ name, description }) => ({ name, description }))),
      guards: guards.scopes,
      outputs: jsonSchemaOf(storedOf(kind).outputSchema),
    };
    const golden = join(import.meta.dirname, 'golden', `${collection}.schema.txt`);
    const rows = rowsOf(JSON.parse(JSON.stringify(schemas)), []).filter((row) => !isOfDelivery.test(row));
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot(golden);
  }
});

/** The delivery of a schedule, which has the schema of `webhookDeliveries`. */
const isOfDelivery = /^declaration\.delivery\.anyOf\.1\./;

/** Each field on a line, below the one that it is in. The descriptions of declared fields are in the documentation. */
function rowsOf(value: object, path: readonly string[]): string[] {
  const { description, ...others } = value as Record<string, unknown>;
  const fields = path[0] === 'declaration' || description === undefined ? others : { ...others, description };
  const isShort = (field: unknown) => typeof field !== 'object' || field === null || JSON.stringify(field).length < 80;
  const entries = Object.entries(fields);
  const own = Object.fromEntries(entries.filter(([, field]) => isShort(field)));
  const rows = entries.flatMap(([name, field]) =>
    isShort(field) ? [] : rowsOf(field as object, name === 'properties' ? path : [...path, name]),
  );
  return Object.keys(own).length === 0 ? rows : [`${path.join('.')} ${JSON.stringify(own)}`, ...rows];
}
