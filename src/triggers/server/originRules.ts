/** Refuses requests that pages of other sites send; see `src/http/allowedOrigins.ts`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originViolation } from '../../http/allowedOrigins.ts';
import { Refusal } from './answers.ts';

export function refuseOtherOrigins(server: FastifyInstance, hosts: readonly string[] | undefined) {
  return async ({ raw }: FastifyRequest): Promise<void> => {
    const violation = originViolation(raw, { bound: server.server.address(), hosts });
    if (violation === undefined) return;
    const { status, code, found, fix } = violation;
    const named = code === 'other-host' ? `${fix} (--allow-host NAME)` : fix;
    throw new Refusal(status, [{ code, found, fix: named }]);
  };
}
