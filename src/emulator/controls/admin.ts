/**
 * The admin route: the emulator's controls over HTTP, under `/_emulator/` on the API's port. It requires no key, because the emulator
 * listens on loopback and holds nothing real.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { parsedJson } from '../../base/values/plain.ts';
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

const role = z.enum(roles);
const ips = z.array(z.string());
const zone = z.string();

/** Returns all admin routes. Problems of a body are answered with 400 and `{problems: [{code, found, allowed, fix, path}]}`. */
function adminRoutes(controls: Controls): AdminRoute[] {
  return [
    { method: 'GET', path: 'state', handle: () => controls.state() },
    { method: 'POST', path: 'ips/move', handle: taking({ ips, to: zone }, (move) => controls.move(move.ips, move.to)) },
    {
      method: 'POST',
      path: 'ips/add',
      handle: taking({ zone, ips: zoneIpsSchema }, (added) => controls.addIps(added.zone, added.ips)),
    },
    { method: 'POST', path: 'ips/remove', handle: taking({ ips }, (removed) => controls.removeIps(removed.ips)) },
    {
      method: 'PATCH',
      path: 'manager/settings',
      handle: (body) => controls.setSettings(body as Partial<EmulatedSettings>),
    },
    { method: 'PUT', path: 'manager/ports', handle: (body) => controls.setPorts(body as number[]) },
    {
      method: 'POST',
      path: 'keys/refresh',
      handle: taking({ role }, (key) => ({ value: controls.refreshKey(key.role) })),
    },
    { method: 'POST', path: 'keys/expire', handle: taking({ role }, (key) => controls.expireKey(key.role)) },
    { method: 'GET', path: 'runs', handle: () => controls.runs() },
    { method: 'POST', path: 'runs/finish', handle: taking({ id: z.string() }, ({ id }) => controls.finishRun(id)) },
    { method: 'GET', path: 'deliveries', handle: () => controls.deliveries() },
    { method: 'GET', path: 'faults', handle: () => controls.faults() },
    { method: 'POST', path: 'faults', handle: (body) => controls.addFault(body as FaultInput) },
    { method: 'DELETE', path: 'faults', handle: () => controls.clearFaults() },
    { method: 'GET', path: 'requests', handle: () => controls.requests() },
    { method: 'DELETE', path: 'requests', handle: () => controls.clearRequests() },
  ];
}

/** Returns a handler that gives the fields of the body, and no others, to a control. */
function taking<Shape extends z.ZodRawShape>(shape: Shape, control: (fields: z.output<z.ZodObject<Shape>>) => unknown) {
  return (body: unknown) => control(parseOrThrow(z.strictObject(shape), body));
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

function parseBody(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  const value = parsedJson(text);
  if (value !== undefined) return value;
  throw new ProblemError([{ code: 'invalid-json', found: 'the body is not JSON', allowed: 'JSON, or no body' }]);
}
