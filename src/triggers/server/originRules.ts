/** Pages from elsewhere are not answered: see `serving/strangers.ts`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { strangerIn } from '../../http/allowedOrigins.ts';
import { Refusal } from './answers.ts';

export function refuseStrangers(server: FastifyInstance, hosts: readonly string[] | undefined) {
  return async ({ raw }: FastifyRequest): Promise<void> => {
    const stranger = strangerIn(raw, { bound: server.server.address(), hosts });
    if (stranger === undefined) return;
    const { status, code, found, fix } = stranger;
    const named = code === 'other-host' ? `${fix} (--allow-host NAME)` : fix;
    throw new Refusal(status, [{ code, found, fix: named }]);
  };
}
