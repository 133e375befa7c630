/** The table of the dialect in docs/emulator.md, from its schema. */
import { z } from 'zod';
import { dialectSchema } from '../../src/emulator/dialect/dialect.ts';
import type { JsonSchema } from '../../src/engine/declaration/declarationSchema.ts';
import { rowsOf } from './declaration.ts';
import { tableOf } from './markdown.ts';

const block = /(<!-- begin generated: dialect -->\n)[\s\S]*?(<!-- end generated -->)/;

export function withDialectTable(page: string): string {
  const schema = z.toJSONSchema(dialectSchema, { io: 'input' }) as JsonSchema;
  const table = tableOf(['field', 'type', 'default', 'meaning'], rowsOf(schema, ''));
  return page.replace(block, (_, begin: string, end: string) => `${begin}${table}${end}`);
}
