/** Everything else that every kind does on the command line, also one that `src/` does not know. `promises.test.ts` has the other fronts. */

import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { withTables } from '../../scripts/docs/declaration.ts';
import { declarationSchema, jsonSchemaOf } from '../../src/engine/declaration/declarationSchema.ts';
import type { PlanFile } from '../../src/engine/plan/planFile.ts';
import { callTypeOf } from '../../src/kinds/knownCalls.ts';
import { addKind, kinds } from '../../src/kinds/knownKinds.ts';
import { noteTypes } from '../../src/kinds/seam/noteTypes.ts';
import { references } from '../../src/kinds/seam/references.ts';
import { formatNames } from '../../src/report/formats.ts';
import { type ApplyDocument, applySchema, type PlanDocument, planSchema } from '../../src/report/json/schema.ts';
import { type ConformancePlace, type KindCase, kindCases, openConformancePlace } from './cases.ts';
import { banner } from './sampleKind/kind.ts';

it('covers every built-in kind, and one of its own', () => {
  expect(kindCases.map(({ kind }) => kind)).toEqual([...kinds, banner]);
});

describe.each(kindCases.map((each) => [each.kind.name, each] as const))('%s', (_, kindCase) => {
  const { kind } = kindCase;
  let place: ConformancePlace;

  beforeAll(async () => {
    const remove = kinds.includes(kind) ? undefined : addKind(kind);
    place = await openConformancePlace();
    return remove;
  });
  beforeEach(async () => {
    await place.reset();
    await declare(kindCase, place, kindCase.spec(place));
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it('reads only when it is planned, and plans calls and notes of its own', async () => {
    const { calls, notes, problems } = await planned(place);
    expect(calls.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expect(kind.calls.map(({ type }) => type)).toEqual(expect.arrayContaining(calls.map(({ type }) => type)));
    expect(noteTypes.of(kind)?.map(({ code }) => code)).toEqual(expect.arrayContaining(notes.map(({ code }) => code)));
    for (const call of calls) expect(call.mayIncurCharges).toBe(callTypeOf({ type: String(call.type) }).billed);
    expect(place.writes()).toEqual([]);
  });

  it('sends what was planned, from a plan file too, and then nothing more', async () => {
    const { calls } = await planned(place);
    expect(await place.webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
    const file = JSON.parse(await place.read('plan.json')) as PlanFile;
    for (const { calls: kept } of file.resources) {
      for (const call of kept) expect(callTypeOf(call).schema(z.strictObject).parse(call)).toEqual(call);
    }
    expect((await applied(place, 'plan.json')).made.map(({ call }) => call)).toEqual(calls);
    const sent = place.writes();
    expect(sent).toHaveLength(calls.length);
    expect(await planned(place)).toMatchObject({ calls: [], problems: [] });
    expect(await place.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(place.writes()).toEqual(sent);
  });

  it('refuses a plan file that is out of date, or that holds a field of no call', async () => {
    await applied(place);
    await kindCase.disturb(place);
    await place.webdata('plan', '--output', 'plan.json');
    const text = await place.read('plan.json');
    const sent = place.writes();
    await place.write('odd.json', text.replace('"type":', '"oddField": 1, "type":'));
    expect((await place.webdata('apply', 'odd.json', '--yes')).stderr).toContain('oddField');
    expect(place.writes()).toEqual(sent);
    await applied(place);
    const after = place.writes();
    const refused = await place.webdata('apply', 'plan.json', '--yes', '--format', 'json');
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain('stale-plan');
    expect(place.writes()).toEqual(after);
  });

  it('is told apart from a change that is declared and not applied yet', async () => {
    await applied(place);
    await declare(kindCase, place, kindCase.changed(place));
    expect(await compared(place)).toEqual({ code: 0, causes: ['pending'] });
    expect(await place.webdata('drift', '--pending')).toMatchObject({ code: 2 });
    await kindCase.disturb(place);
    expect(await compared(place)).toEqual({ code: 2, causes: ['both'] });
    await declare(kindCase, place, kindCase.spec(place));
    expect(await compared(place)).toEqual({ code: 2, causes: ['drift'] });
    await applied(place);
    expect(await compared(place)).toEqual({ code: 0, causes: [] });
  });

  it('has no alarm for drift that an exception mutes', async () => {
    await applied(place);
    await kindCase.disturb(place);
    const muted = { path: `${kind.collection}.it`, reason: 'a test', owner: 'ops', until: '2999-12-31' };
    await place.declare(stringify({ [kind.collection]: { it: kindCase.spec(place) }, exceptions: [muted] }));
    expect(await compared(place)).toEqual({ code: 0, causes: ['muted'] });
    expect((await planned(place)).calls.length).toBeGreaterThan(0);
  });

  it('refuses an undo after something else has changed it', async () => {
    await applied(place);
    await kindCase.disturb(place);
    const sent = place.writes();
    const { code, stdout, stderr } = await place.webdata('undo', '--yes');
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/still as the run left them|changed since/);
    expect(place.writes()).toEqual(sent);
  });

  it('is reported in every format, as a plan and as a run', async () => {
    const reports = (what: string) => formatNames.flatMap((format) => ['--report', `${format}=${what}.${format}`]);
    const shown = async (what: string) =>
      Promise.all(formatNames.map(async (format) => [format, await place.read(`${what}.${format}`)] as const));
    expect(await place.webdata('plan', ...reports('plan'))).toMatchObject({ code: 0, stderr: '' });
    for (const [format, text] of await shown('plan')) {
      // Annotations of a plan have its totals only.
      expect(text).toContain(format === 'github' ? '::notice title=webdata plan::Plan: ' : kind.collection);
    }
    expect(await place.webdata('apply', '--yes', ...reports('run'))).toMatchObject({ code: 0, stderr: '' });
    for (const [format, text] of await shown('run')) {
      // Nothing went wrong: there are no findings and no annotations.
      if (format !== 'github') expect(text).toContain(kind.collection);
    }
  });

  it('has a JSON Schema that takes its declaration and its documents', async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const isDeclaration = ajv.compile(declarationSchema('1'));
    const spec = kindCase.spec(place);
    expect(isDeclaration({ name: 'acme', [kind.collection]: { it: spec } })).toBe(true);
    expect(isDeclaration({ [kind.collection]: { it: { ...spec, oddField: 1 } } })).toBe(false);
    const { stdout } = await place.webdata('plan', '--format', 'json');
    expect(planSchema().parse(JSON.parse(stdout))).toEqual(JSON.parse(stdout));
    expect(ajv.validate(jsonSchemaOf(planSchema()), JSON.parse(stdout))).toBe(true);
  });

  it('has tables of its fields, calls and notes', () => {
    const { collection, calls } = kind;
    const block = (name: string) => `<!-- begin generated: ${name} -->\n<!-- end generated -->`;
    const page = withTables([collection, `${collection}.calls`, `${collection}.notes`].map(block).join('\n'));
    for (const { type } of calls) expect(page).toContain(`| \`${type}\` |`);
    for (const { code } of noteTypes.of(kind) ?? []) expect(page).toContain(`| \`${code}\` |`);
  });

  it('refuses a variable that would be sent to another host', async () => {
    const spec = kindCase.spec(place) as Record<string, unknown>;
    for (const path of references.of(kind)?.destinations?.(spec) ?? []) {
      if (path.length > 1) continue;
      await declare(kindCase, place, { ...spec, [String(path[0])]: 'https://example.com/$' + '{CI_SECRET}' });
      const { code, stderr } = await place.webdata('validate');
      expect(code).toBe(1);
      expect(stderr).toContain('CI_SECRET');
    }
  });
});

async function declare({ kind }: KindCase, place: ConformancePlace, spec: object): Promise<void> {
  await place.declare(stringify({ [kind.collection]: { it: spec } }));
}

async function planned({ webdata }: ConformancePlace): Promise<PlanDocument['resources'][number]> {
  const { stdout } = await webdata('plan', '--format', 'json');
  const document = planSchema().parse(JSON.parse(stdout));
  expect(document.problems).toEqual([]);
  const [resource] = document.resources;
  if (resource === undefined) throw new Error('nothing was planned');
  return resource;
}

/** The exit code of drift, and the causes of all differences. */
async function compared({ webdata }: ConformancePlace): Promise<{ code: number; causes: string[] }> {
  const { code, stdout } = await webdata('drift', '--format', 'json');
  const { resources, baseline } = planSchema().parse(JSON.parse(stdout));
  expect(baseline).toBe(true);
  const differences = resources.flatMap((resource) => resource.differences ?? []);
  return { code, causes: [...new Set(differences.map(({ cause, muted }) => (muted ? 'muted' : cause)))] };
}

/** Applies the declaration, or a plan file. */
async function applied({ webdata }: ConformancePlace, ...file: string[]): Promise<ApplyDocument['resources'][number]> {
  const { stdout, stderr } = await webdata('apply', ...file, '--yes', '--format', 'json');
  expect(stderr).toBe('');
  const parsed = z.union([applySchema(), planSchema()]).parse(JSON.parse(stdout));
  if (!('result' in parsed))
    return { made: [], notMade: [], outcome: 'nothing', problems: [], kind: '', collection: '', name: '' };
  expect(parsed.result).toBe('done');
  const [resource] = parsed.resources;
  if (resource === undefined) throw new Error('nothing was applied');
  return resource;
}
