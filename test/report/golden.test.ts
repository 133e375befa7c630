/** What four formats make of five reports, kept as files that a person can read. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { loadFormat } from '../../src/report/formats.ts';
import { applySchema, planSchema } from '../../src/report/json/schema.ts';
import type { Report } from '../../src/report/model/report.ts';
import { sampleReports } from './sampleReports.ts';

/** A plan, a run that failed half-way, drift with its causes, problems, and the registrations of the trigger service. */
const kept = ['small', 'half-way', 'causes-drift', 'errors', 'registrations-run'] as const;

/** `html` and `github` have tests of their own. */
const forPeople = { text: 'txt', markdown: 'md' };
/** JSON is not kept as `.json`, which would be formatted as source. What programs read of a plan, they also read of its drift and of its run. */
const forPrograms = {
  'half-way': { json: 'json.txt', junit: 'xml' },
  'causes-drift': { json: 'json.txt', junit: 'xml' },
  errors: { json: 'json.txt' },
  'registrations-run': { json: 'json.txt' },
};

const files = kept.flatMap((name) =>
  Object.entries({ ...forPeople, ...(name !== 'small' && forPrograms[name]) }).map(([format, extension]) => ({
    name,
    format,
    extension,
  })),
);

it.each(files)('the report $name as $format is as it was looked at', async ({ name, format, extension }) => {
  const write = await loadFormat(format as keyof typeof forPeople);
  const text = write(reportNamed(name), { color: false });
  const shown = format === 'json' ? `${compact(JSON.parse(text))}\n` : text;
  await expect(shown).toMatchFileSnapshot(`golden/${name}.${extension}`);
  if (format === 'json') expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
});

it.each(Object.entries(sampleReports))('%s as JSON is what its published schema says', async (_name, report) => {
  const document: unknown = JSON.parse((await loadFormat('json'))(report, { color: false }));
  const schema = report.about === 'run' ? applySchema() : planSchema();
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  ajv.validate(z.toJSONSchema(schema), document);
  expect(ajv.errors).toBe(null);
});

function reportNamed(name: string): Report {
  const { [name]: report } = sampleReports;
  if (report === undefined) throw new TypeError(`there is no report ${name}`);
  return report;
}

/** JSON in which a value that fits on a line is one line. */
function compact(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (line.length + indent.length <= 160 || typeof value !== 'object' || value === null) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const deeper = `${indent} `;
  const entries = Object.entries(value).map(([key, each]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${deeper}${name}${compact(each, deeper)}`;
  });
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`;
}
