/** Routes of the service: name, method and path, allowed roles, and handler. Independent of sockets. */
import type { z } from 'zod';
import type { Fault } from '../core/faults.ts';
import type { Permission } from '../core/permissions.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Effect, ServerName } from './requestLog.ts';

/** A call as the client sent it, without its key. */
export interface RouteCall {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  /** Returns the parsed body. @throws Refusal if there is none or it is not JSON */
  json(): unknown;
  /** Faults that apply to this call, for those that change its behavior. */
  faults: readonly Fault[];
}

/** Answer of the service. A text or a stream is sent unchanged, anything else as JSON. */
export interface RouteAnswer {
  body: unknown;
  /** Change made by the call, if any. */
  effect?: Effect | undefined;
  /** Headers that are added to those of every answer, or replace them. */
  headers?: Record<string, string>;
  /** Status. Default 200. */
  status?: number;
}

export interface Route {
  /** Name for fault rules and the request log. */
  name: string;
  server: ServerName;
  method: 'GET' | 'POST' | 'PUT';
  /** Path, with parameters as `:name`. */
  path: string;
  /** Roles that may call it; `readers` are those of the dialect. `token` requires the manager's own token, if it has one. */
  access: readonly Permission[] | 'readers' | 'token';
  handle(world: World, call: RouteCall): RouteAnswer | Promise<RouteAnswer>;
}

/** Returns a required query parameter, which must occur once. */
export function queryOf(call: RouteCall, name: string): string {
  const value = call.query[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(
    'invalid-request',
    `query parameter ${name} is ${value === undefined ? 'missing' : 'not one value'}`,
  );
}

/** Returns an optional query parameter, which must not occur twice. */
export function optionalQueryOf(call: RouteCall, name: string): string | undefined {
  const value = call.query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal('invalid-request', `query parameter ${name} is not one value`);
}

/** Parses the body by a schema. @throws Refusal that names the first wrong field */
export function bodyOf<Schema extends z.ZodType>(call: RouteCall, schema: Schema): z.output<Schema> {
  return validValue(schema, call.json(), []);
}

/** Parses a value; `name` names it in the refusal, before the path of the wrong field. @throws Refusal */
export function validValue<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string[]): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = [...name, ...(issue?.path ?? [])].join('.') || 'body';
  throw new Refusal('invalid-request', `${field}: ${issue?.message ?? 'not valid'}`);
}

/** Returns the parameters of a query without its `?`; a parameter that occurs more than once is a list. */
export function parsedQuery(query: string, plus: Dialect['plusInQueries']): Record<string, string | string[]> {
  const encoded = plus === 'literal' ? query.replaceAll('+', '%2B') : query;
  const parameters = new URLSearchParams(encoded);
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
