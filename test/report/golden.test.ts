/** What every format makes of every sample, kept as files that a person can read. `html` has tests of its own. */
import { hash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadFormat } from '../../src/report/formats.ts';
import { applySchema, planSchema } from '../../src/report/json/schema.ts';
import { sampleReports } from './sampleReports.ts';

const extensions = {
  text: 'txt',
  // Not `.json`, which would be formatted as source.
  json: 'json.txt',
  markdown: 'md',
  junit: 'xml',
  github: 'github.txt',
} as const;

describe.each(Object.entries(sampleReports))('the report %s', (name, report) => {
  it.each(Object.entries(extensions))('as %s is as it was looked at', async (format, extension) => {
    const write = await loadFormat(format as keyof typeof extensions);
    const text = write(report, { color: false });
    await expect(goldenOf(text)).toMatchFileSnapshot(`golden/${name}.${extension}`);
  });

  it('as JSON is what its published schema says', async () => {
    const document: unknown = JSON.parse((await loadFormat('json'))(report, { color: false }));
    const schema = report.about === 'run' ? applySchema() : planSchema();
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
    ajv.validate(z.toJSONSchema(schema), document);
    expect(ajv.errors).toBe(null);
  });
});

/** A long JSON report is kept as a hash of its text and the beginning of each list: a person can read that, and every change still shows. */
function goldenOf(text: string): string {
  if (text.length < 100_000 || !text.startsWith('{')) return text;
  return `sha256 ${hash('sha256', text)}\n${JSON.stringify(abridged(JSON.parse(text)), null, 2)}\n`;
}

function abridged(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, 3).map(abridged);
    return value.length > kept.length ? [...kept, `… ${value.length - kept.length} more`] : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, abridged(each)]));
}
