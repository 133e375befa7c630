/** `webdata schema`: what editors are told of a declaration is what the tool then says of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileSchema } from '../../../src/engine/declaration/config.ts';
import { declarationSchema, type JsonSchema } from '../../../src/engine/declaration/declarationSchema.ts';
import { loadFormat } from '../../../src/report/formats.ts';
import { version } from '../../../src/version.ts';
import { samplePlan } from '../../report/samples.ts';
import { badDeclarations } from '../badInput/refusedCases.ts';
import { openHarness, serviceYaml } from '../harness.ts';

const documents = ['declaration', 'plan', 'apply', 'accounts', 'history', 'doctor'];
const fits = validatorOf(declarationSchema(version));

function validatorOf(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv({ strict: false });
  ajvFormats.default(ajv);
  return ajv.compile(schema);
}

async function printed(document: string): Promise<JsonSchema> {
  await using harness = await openHarness('plain');
  const { code, stdout } = await harness.webdata('schema', document);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('the command', () => {
  it('prints the schema of the declaration where none is named, for draft 7, with the version in its title', async () => {
    await using harness = await openHarness('plain');
    const { code, stdout } = await harness.webdata('schema');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `urn:webdata:declaration:${version}`,
      title: `webdata declaration, ${version}`,
    });
  });

  it('writes it to a file, and never over the declaration', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('schema', 'plan');
    expect(await harness.webdata('schema', 'plan', '--output', 'plan.schema.json')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await harness.read('plan.schema.json')).toBe(stdout);
    const refused = await harness.webdata('schema', '--output', 'webdata.yaml');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the file is the declaration') });
  });

  it('names the documents that there are', async () => {
    await using harness = await openHarness('plain');
    const { code, stderr } = await harness.webdata('schema', 'report');
    expect(code).toBe(1);
    expect(stderr).toContain('Allowed choices are declaration, validation, plan, accounts, apply, doctor, history.');
  });
});

describe.each(documents)('the schema of the %s', (document) => {
  it('says of every field what it is', async () => {
    expect(undescribed(await printed(document))).toEqual([]);
  });
});

function undescribed(schema: JsonSchema, path = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...((property.description ?? property.title) ? [] : [`${path}.${name}`]),
    ...undescribed(property, `${path}.${name}`),
  ]);
  const { additionalProperties: entry, items, anyOf = [], oneOf = [] } = schema;
  const below = [...anyOf, ...oneOf, ...(items ? [items] : []), ...(typeof entry === 'object' ? [entry] : [])];
  return [...own, ...below.flatMap((each) => undescribed(each, path))];
}

it('a plan as JSON fits the schema of the plan', async () => {
  const text = (await loadFormat('json'))(
    { about: 'plan', mode: 'plan', plan: samplePlan, problems: [], origin: 'https://api.example.com', version },
    { color: false },
  );
  const isPlan = validatorOf(await printed('plan'));
  expect(isPlan(JSON.parse(text))).toBe(true);
  expect(isPlan({ ...JSON.parse(text), format: 'other' })).toBe(false);
});

describe('documents of commands', () => {
  it.each([[[]], [['--api-url', 'http://127.0.0.1:9']]])('the findings of doctor %j fit their schema', async (args) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', `${serviceYaml('plain')}managerSettings: { local: { logs: 500 } }\n`);
    const { stdout } = await harness.webdata('doctor', ...args, '--retries', '1', '--format', 'json');
    const isDoctor = validatorOf(await printed('doctor'));
    expect(isDoctor(JSON.parse(stdout))).toBe(true);
    expect(isDoctor({ ...JSON.parse(stdout), result: 'other' })).toBe(false);
  });
});

it('marks what is secret', () => {
  const { service, manager } = declarationSchema(version).properties ?? {};
  expect(service?.properties?.apiKey).toMatchObject({ writeOnly: true });
  expect(manager?.properties?.token).toMatchObject({ writeOnly: true });
});

describe('declarations that are good', () => {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const files = ['README.md', ...pages.map((name) => `docs/${name}`)];
  const keys = Object.keys(declarationSchema(version).properties ?? {});
  const written = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, text = '']) => parse(text))
      .filter((value) => Object.keys(value).every((key) => keys.includes(key)))
      .map((value) => ({ from: file, value })),
  );
  const examples = [
    { from: 'examples/quickstart', value: parse(readFileSync('examples/quickstart/webdata.yaml', 'utf8')) },
  ];

  it.for([...examples, ...written])('fit: $from', ({ value }) => {
    expect(fits(value)).toBe(true);
  });

  it('are found in the README and in the reference', () => {
    expect(new Set(written.map(({ from }) => from))).toEqual(
      new Set([
        'README.md',
        'docs/audit.md',
        'docs/backend.md',
        'docs/declaration.md',
        'docs/everyday.md',
        'docs/getting-started.md',
        'docs/gitops.md',
        'docs/triggers.md',
      ]),
    );
  });
});

/** A text that is no YAML has no value. */
function parsed(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch {
    return undefined;
  }
}

it('refuses every bad declaration, but for what no schema can tell', () => {
  const bad = badDeclarations().flatMap(({ name, yaml }) => {
    const value = parsed(yaml);
    return value === undefined ? [] : [{ name, value }];
  });
  const passed = bad.filter(({ value }) => fits(value)).map(({ name }) => name);
  expect(passed).toMatchInlineSnapshot(`
    [
      "a variable that is not set",
      "a variable that is not set, and one that nearly has its name",
      "a documented variable that is not set, which is never a typing error",
      "a variable that is empty",
      "a variable that holds something else, which is not shown",
      "a count below what is listed",
      "a floor above the count",
      "two entries for one manager",
      "two entries for one manager, one of them by default",
      "an IP twice in one zone",
      "an IP in two zones",
      "an IP in two allocations",
      "a zone in two allocations",
      "a spare that is filled",
      "a source that is filled",
      "a spare that is a source",
      "a spare that another allocation fills",
      "a network with a host part",
      "a release without a spare",
      "changes to be ignored of nothing",
    ]
  `);
});

/** Good and bad, of the right and of the wrong type; none that only a check beyond structure refuses. */
const anything = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, 7, '', 'text', 'report', 'a b'),
  fc.constant([]),
  fc.constant({}),
);
const orAnything = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: anything });
const fields = (good: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record(Object.fromEntries(Object.entries(good).map(([name, value]) => [name, orAnything(value)])), {
        requiredKeys: required,
      }),
    },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant({ another: 1 }) },
  );
const ip = fc.constantFrom('192.0.2.10', '198.51.100.7');
const zone = fc.constantFrom('checkout', 'pricing');
const count = fc.oneof(fc.nat(), fc.dictionary(fc.constantFrom('us', 'DE', 'usa', '1'), orAnything(fc.nat())));
const zones = fc.dictionary(zone, fields({ ips: fc.array(orAnything(ip)), count, keepAtLeast: fc.constant(0) }));
const allocation = fields(
  {
    zones,
    sources: fc.array(orAnything(fc.constant('old'))),
    spare: fc.constant('parked'),
    unmanaged: fc.constantFrom('report', 'release'),
    protect: fc.array(orAnything(ip)),
    maxMoves: fc.constantFrom(3, '20%', '101%', '7 %'),
    onDelete: fc.constantFrom('leave', 'release'),
    ignoreChanges: fc.constant([]),
  },
  ['zones'],
);
const settings = fields({
  url: fc.constantFrom('http://127.0.0.1:22999', 'ftp://example.com', 'nowhere'),
  zone,
  wwwWhitelistIps: fc.array(orAnything(fc.constantFrom('10.0.0.5', '10.0.0.0/8', '2001:db8::/32'))),
  logs: fc.nat(),
  requestStats: fc.boolean(),
  absentPorts: fc.array(orAnything(fc.constantFrom(1, 65_535, 65_536))),
  ignoreChanges: fc.array(orAnything(fc.constantFrom('logs', 'absentPorts', 'other'))),
});
const profile = fields({
  settleSeconds: fc.double({ min: 0, max: 100, noNaN: true }),
  migrateBatchLimit: fc.integer({ min: 1, max: 9 }),
  resellerPath: fc.constantFrom('/api/{partner}/x', '/api/x'),
  manager: fields({ readSettings: fc.constantFrom('auto', 'get', 'put', 'post') }),
});
const names = fc.constantFrom('static', 'a-b.c_1', '-no');
const declaration = fields({
  name: fc.constant('acme'),
  service: fields({ url: fc.constant('https://api.example.com'), apiKey: fc.constant('key'), profile }),
  zoneIpAllocations: fc.option(fc.dictionary(names, allocation, { maxKeys: 2 })),
  managerSettings: fc.option(fc.dictionary(names, settings, { maxKeys: 2 })),
});

const variable = `\${ANY}`;

describe('the schema and the tool', () => {
  it('agree on every structure', () => {
    let [good, bad] = [0, 0];
    fc.assert(
      fc.property(declaration, (value) => {
        const { success, error } = fileSchema().safeParse(value);
        if (success) good += 1;
        else bad += 1;
        if (success) expect(fits(value)).toBe(true);
        else if (error.issues.some(({ code }) => code !== 'custom')) expect(fits(value)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(good, bad)).toBeGreaterThan(100);
  });

  it('agree that a variable may stand for any value', () => {
    const good = parse(readFileSync('examples/quickstart/webdata.yaml', 'utf8'));
    const paths = leavesOf(good);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) expect([path, fits(withVariableAt(good, path))]).toEqual([path, true]);
  });
});

function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

function withVariableAt(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return variable;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withVariableAt(each, rest) : each));
  const map = value as Record<string, unknown>;
  return { ...map, [key]: withVariableAt(map[key], rest) };
}
