/** Keys that every JavaScript object has. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { accountSchema } from '../../../src/emulator/account/account.ts';
import { parseAccount } from '../../../src/emulator/account/parseAccount.ts';
import { configOf, fileSchema } from '../../../src/engine/declaration/config.ts';

type Json = Readonly<Record<string, unknown>>;

const schemas = (value: unknown) => (value === undefined ? [] : ([value].flat() as Json[]));

/** Returns a document for each field of a schema, with the value there and nothing else. */
function documents(schema: Json, value: unknown): unknown[] {
  const alternatives = [...schemas(schema.anyOf), ...schemas(schema.oneOf), ...schemas(schema.allOf)];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const names = typeof schema.additionalProperties === 'object' ? [['a', schema.additionalProperties as Json]] : [];
  return [
    value,
    ...alternatives.flatMap((each) => documents(each, value)),
    ...schemas(schema.items).flatMap((each) => documents(each, value).map((item) => [item])),
    ...[...fields, ...(names as [string, Json][])].flatMap(([name, each]) =>
      documents(each, value).map((inner) => ({ [name]: inner })),
    ),
  ];
}

const files = {
  declaration: { schema: fileSchema(), read: (text: string) => configOf(readYaml(text, 'file.yaml'), { env: {} }) },
  'account of the emulator': { schema: accountSchema, read: (text: string) => parseAccount(text, 'file.yaml') },
};

const keys = ['toString', 'valueOf', 'constructor', 'toJSON', 'hasOwnProperty', 'length'];

it.each(
  keys.flatMap((key) => Object.entries(files).map(([file, its]) => ({ key, file, ...its }))),
)('$key is a key like others in each field of a $file', ({ key, schema, read }) => {
  const json = z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }) as Json;
  const texts = new Set(documents(json, { [key]: 1 }).map((document) => JSON.stringify(document)));
  expect(texts.size).toBeGreaterThan(50);
  const failures = [...texts].flatMap((text) => {
    try {
      read(text);
      return [];
    } catch (error) {
      return error instanceof ProblemError ? [] : [`${text}: ${error}`];
    }
  });
  expect(failures).toEqual([]);
});
