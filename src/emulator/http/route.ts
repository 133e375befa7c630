/** One call of the service: its name, method and path, who may make it, and what it does. Knows nothing of sockets. */
import type { z } from 'zod';
import type { Fault } from '../core/faults.ts';
import type { Permission } from '../core/keyring.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { Effect, ServerName } from './requestLog.ts';

/** What a client sent, apart from its key. */
export interface Call {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  /** The parsed body; throws a refusal if there is none or it is not JSON. */
  json(): unknown;
  /** The faults that hit this call, for those that change what it does. */
  faults: readonly Fault[];
}

/** Answer of the service; a text or a stream is sent as it is, everything else as JSON. */
export interface Answer {
  body: unknown;
  /** What the call changed; null where nothing changed. */
  effect: Effect | null;
  /** Added to the headers that every answer has, or replacing them. */
  headers?: Record<string, string>;
  /** 200 by default. */
  status?: number;
}

export interface Route {
  /** For fault rules and the request log. */
  name: string;
  server: ServerName;
  method: 'GET' | 'POST' | 'PUT';
  /** With parameters as `:name`. */
  path: string;
  /** Roles that may call it; `token` asks for the manager's own token, if it has one. */
  access: readonly Permission[] | 'token';
  handle(world: World, call: Call): Answer | Promise<Answer>;
}

/** A required query parameter, once. */
export function queryOf(call: Call, name: string): string {
  const value = call.query[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(
    'invalid-request',
    `query parameter ${name} is ${value === undefined ? 'missing' : 'not one value'}`,
  );
}

/** A query parameter that may be left out, but not be there twice. */
export function optionalQueryOf(call: Call, name: string): string | undefined {
  const value = call.query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal('invalid-request', `query parameter ${name} is not one value`);
}

/** The body as a schema asks for it, or a refusal that names the first field that is wrong. */
export function bodyOf<Schema extends z.ZodType>(call: Call, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(call.json());
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'body';
  throw new Refusal('invalid-request', `${field}: ${issue?.message ?? 'not valid'}`);
}
