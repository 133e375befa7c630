/** Generates the OpenAPI document from the schemas of the routes. */
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { version } from '../../version.ts';
import { answers } from './routeSchema.ts';

/** Call this before routes are registered. */
export function describeApi(server: FastifyInstance): void {
  server.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'webdata trigger service',
        version,
        description:
          'Registers deliveries and schedules, fires each tick at most once, and records the result. Times are milliseconds since the epoch, by the ledger’s clock.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'records', description: 'The deliveries and schedules of an owner.' },
        { name: 'schedules', description: 'The schedules of all owners, and actions on them.' },
        { name: 'runs', description: 'Scheduled runs.' },
        { name: 'health', description: 'For operators of the service.' },
      ],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'The token that the service was started with.' },
        },
      },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => onlyUsed(jsonSchemaTransformObject(document)),
  });
  server.register(async (scope) => {
    scope.get('/openapi.json', { schema }, async () => scope.swagger());
  });
}

const schema = {
  operationId: 'getOpenapi',
  summary: 'Get this document',
  tags: ['health'],
  security: [],
  response: { 200: answers('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
};

type Document = ReturnType<typeof jsonSchemaTransformObject>;

/** Removes unused schemas: each exists in two forms, for requests and for answers. */
function onlyUsed(document: Document): Document {
  const { components = {}, ...rest } = document as { components?: { schemas?: Record<string, unknown> } };
  const all = components.schemas ?? {};
  const used = new Set<string>();
  const follow = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(all[name]);
    }
  };
  follow(rest);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, schemas } } as Document;
}
