/**
 * Faults on demand, by route and occurrence. Each kind says whether the request still has its effect, because clients that never saw the
 * answer must find that out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { lagSchema, statusSchema } from './inventory.ts';

const when = z
  .enum(['before', 'after'])
  .default('before')
  .describe('Time of the answer: instead of the effect, or after it.');

const kindAlone = <Kind extends string>(kind: Kind, description: string) =>
  z.strictObject({ kind: z.literal(kind).describe(description) });

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: statusSchema.describe('Status of the answer.'),
    body: z.unknown().optional().describe('Body as text or JSON; by default a text with the status.'),
    retryAfter: z
      .union([z.string(), z.number()], 'must be seconds, or an HTTP date')
      .optional()
      .describe('Retry-After: seconds, or an HTTP date.'),
    when,
  }),
  z.strictObject({
    kind: z.literal('delay'),
    ms: z.number().nonnegative().describe('Delay in milliseconds before the request is handled.'),
  }),
  kindAlone('drop-before', 'The connection is cut; the request has no effect.'),
  kindAlone('drop-after', 'The connection is cut; the request has had its effect.'),
  kindAlone('reset-before', 'The connection is reset; the request has no effect.'),
  kindAlone('reset-after', 'The connection is reset; the request has had its effect.'),
  kindAlone('truncated', 'Half of the answer, then the connection is cut; the request has had its effect.'),
  kindAlone('malformed', 'A complete answer that is not valid JSON; the request has had its effect.'),
  z.strictObject({ kind: z.literal('html').describe('Status 200 with an HTML page, as gateways return.'), when }),
  z.strictObject({
    kind: z.literal('short-move').describe('A migration moves fewer IPs than requested and answers their number.'),
    moves: z.int().nonnegative().describe('Number of IPs that are moved, from the start of the list.'),
  }),
  z.strictObject({
    kind: z.literal('short-report').describe('A migration moves all requested IPs but answers another number.'),
    count: z.int().nonnegative().describe('Number in the answer.'),
  }),
  z.strictObject({
    kind: z.literal('stale').describe('An outdated listing, as read replicas may return.'),
    ms: z.number().nonnegative().describe('Age of the listing in milliseconds.'),
  }),
  z.strictObject({ kind: z.literal('lag').describe('Listings show this migration later.'), lag: lagSchema }),
]);

/** The route of a rule that counts every call which changes something, at the API and at the manager. */
export const anyCall = 'any-call';

const changing: ReadonlySet<string> = new Set(['zone/ips/migrate', 'settings/put', 'proxies/delete']);

/** Faults that change one route (D1, D3) and are allowed there only. */
const onlyRoutes: Partial<Record<Fault['kind'], string>> = {
  'short-move': 'zone/ips/migrate',
  'short-report': 'zone/ips/migrate',
  lag: 'zone/ips/migrate',
  stale: 'zone/ips',
};

export type Fault = z.output<typeof faultSchema>;

/** Returns the schema of fault rules for a service with these routes. */
export function faultRuleSchema(routes: readonly string[]) {
  return z
    .strictObject({
      route: z.enum(routes as [string, ...string[]]).describe('Name of the route.'),
      occurrence: z
        .union(
          [z.int().min(1), z.array(z.int().min(1)), z.literal('all')],
          'must be a number from 1, a list of them, or all',
        )
        .default('all')
        .describe('Numbers of the affected requests to the route, counted from when the fault was added.'),
      fault: faultSchema,
    })
    .superRefine(({ route, fault }, context) => {
      const only = onlyRoutes[fault.kind];
      if (only === undefined || route === only) return;
      problemIssue(context, {
        code: 'fault-elsewhere',
        found: `a ${fault.kind} of ${route}`,
        allowed: `a ${fault.kind} of ${only}`,
        fix: `set \`route\` to ${only}, or choose another kind of fault`,
        path: ['route'],
      });
    });
}

export type FaultRule = z.output<ReturnType<typeof faultRuleSchema>>;

/** A fault rule, such as `{route: 'zone/ips/migrate', occurrence: 2, fault: {kind: 'drop-after'}}`. `occurrence` is `all` by default. */
export type FaultInput = z.input<ReturnType<typeof faultRuleSchema>>;

export class FaultBook {
  #rules: { rule: FaultRule; seen: number }[] = [];

  add(rule: FaultRule): void {
    this.#rules.push({ rule, seen: 0 });
  }

  all(): FaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  clear(): void {
    this.#rules = [];
  }

  /** Counts one request to a route and returns the faults that hit it. */
  hit(route: string): Fault[] {
    const names = changing.has(route) ? [route, anyCall] : [route];
    const concerned = this.#rules.filter(({ rule }) => names.includes(rule.route));
    for (const entry of concerned) entry.seen += 1;
    return concerned.flatMap(({ rule: { occurrence, fault }, seen }) =>
      occurrence === 'all' || [occurrence].flat().includes(seen) ? [fault] : [],
    );
  }
}

export function findFault<Kind extends Fault['kind']>(faults: readonly Fault[], kind: Kind) {
  return faults.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}

/** Waits for the delays of a request, unless the emulator closes. */
export async function delay(faults: readonly Fault[], closing: AbortSignal): Promise<void> {
  const ms = faults.reduce((sum, fault) => sum + (fault.kind === 'delay' ? fault.ms : 0), 0);
  if (ms > 0) await sleep(ms, undefined, { signal: closing }).catch(() => undefined);
}

/** Returns the answer that a fault gives instead of the service, if one does so at this moment. */
export function replacement(faults: readonly Fault[], moment: 'before' | 'after') {
  for (const fault of faults) {
    if (fault.kind === 'status' && fault.when === moment) {
      const headers: Record<string, string> =
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      return { status: fault.status, body: fault.body ?? `Fault on demand: ${fault.status}`, headers };
    }
    if (fault.kind === 'html' && fault.when === moment) {
      return { status: 200, body: htmlPage, headers: { 'content-type': 'text/html; charset=utf-8' } };
    }
  }
  return null;
}

const htmlPage =
  '<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n';
