/**
 * The admin route: the emulator's controls over HTTP, under `/_emulator/` on the API's port. It requires no key, because the emulator
 * listens on loopback and holds nothing real.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { zoneIpsSchema } from '../account/account.ts';
import { parseOrThrow } from '../account/accountFile.ts';
import type { EmulatedSettings } from '../core/emulatedManager.ts';
import type { FaultInput } from '../core/faults.ts';
import { roles } from '../core/permissions.ts';
import type { Controls } from './controls.ts';

interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Returns the body of the answer; undefined becomes 204. */
  handle(body: unknown): unknown;
}

const ips = z.array(z.string());
const zone = z.string();
const role = z.enum(roles);

/** Returns all admin routes. Problems of a body are answered with 400 and `{problems: [{code, found, allowed, fix, path}]}`. */
function adminRoutes(controls: Controls): AdminRoute[] {
  const roleIn = (body: unknown) => parseOrThrow(z.strictObject({ role }), body).role;
  return [
    { method: 'GET', path: 'state', handle: () => controls.state() },
    { method: 'POST', path: 'ips/move', handle: (body) => moveIps(controls, body) },
    { method: 'POST', path: 'ips/add', handle: (body) => addIps(controls, body) },
    {
      method: 'POST',
      path: 'ips/remove',
      handle: (body) => controls.removeIps(parseOrThrow(z.strictObject({ ips }), body).ips),
    },
    {
      method: 'PATCH',
      path: 'manager/settings',
      handle: (body) => controls.setSettings(body as Partial<EmulatedSettings>),
    },
    { method: 'PUT', path: 'manager/ports', handle: (body) => controls.setPorts(body as number[]) },
    { method: 'POST', path: 'keys/refresh', handle: (body) => ({ value: controls.refreshKey(roleIn(body)) }) },
    { method: 'POST', path: 'keys/expire', handle: (body) => controls.expireKey(roleIn(body)) },
    { method: 'GET', path: 'runs', handle: () => controls.runs() },
    { method: 'POST', path: 'runs/finish', handle: (body) => controls.finishRun(runIdOf(body)) },
    { method: 'GET', path: 'deliveries', handle: () => controls.deliveries() },
    { method: 'GET', path: 'faults', handle: () => controls.faults() },
    { method: 'POST', path: 'faults', handle: (body) => controls.addFault(body as FaultInput) },
    { method: 'DELETE', path: 'faults', handle: () => controls.clearFaults() },
    { method: 'GET', path: 'requests', handle: () => controls.requests() },
    { method: 'DELETE', path: 'requests', handle: () => controls.clearRequests() },
  ];
}

export function registerAdmin(server: FastifyInstance, controls: Controls, save: () => Promise<void>): void {
  for (const { method, path, handle } of adminRoutes(controls)) {
    server.route({
      method,
      url: `/_emulator/${path}`,
      handler: async (request, reply) => {
        try {
          const answer = handle(parseBody(request.body));
          if (method !== 'GET') await save();
          return answer === undefined ? reply.code(204).send() : reply.send(answer);
        } catch (error) {
          if (error instanceof ProblemError) return reply.code(400).send({ problems: error.problems });
          throw error;
        }
      },
    });
  }
}

const runIdOf = (body: unknown): string => parseOrThrow(z.strictObject({ id: z.string() }), body).id;

function moveIps(controls: Controls, body: unknown): void {
  const move = parseOrThrow(z.strictObject({ ips, to: zone }), body);
  controls.move(move.ips, move.to);
}

function addIps(controls: Controls, body: unknown): void {
  const added = parseOrThrow(z.strictObject({ zone, ips: zoneIpsSchema }), body);
  controls.addIps(added.zone, added.ips);
}

function parseBody(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError([{ code: 'invalid-json', found: 'the body is not JSON', allowed: 'JSON, or no body' }]);
  }
}
