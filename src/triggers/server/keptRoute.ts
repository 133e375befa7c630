/** Serves the kept rows of a run as a file: to people with the status page, and to programs. */
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { runParams } from '../api/runs.ts';
import type { Database } from '../store/database.ts';
import type { RowKeeper } from '../worker/rowKeeper.ts';
import { RefusedRequest } from './answers.ts';
import { refusals } from './routeSchema.ts';

/** Opens the kept rows of a run. @throws RefusedRequest */
export type OpenRows = (run: string) => Promise<{ name: string; content: Readable }>;

export function rowsIn(database: Database, keeper: RowKeeper): OpenRows {
  return async (run) => {
    const [row] = await database.query<{ keep: string | null; kept: string | null }>(
      'SELECT keep, kept FROM runs WHERE id = ?',
      [run],
    );
    if (!row?.keep || !row.kept)
      throw new RefusedRequest(404, [{ code: 'no-kept-rows', found: `run ${run} has no kept rows`, fix }]);
    const { kept } = row;
    const content = await keeper.read(JSON.parse(row.keep), kept).catch((error: unknown) => {
      throw gone(`${kept} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (content === undefined) throw gone(`${kept} is not there: it was moved, or another machine has it`);
    return { name: kept.slice(kept.lastIndexOf('/') + 1), content };
  };
}

const fix = '`webdata triggers fetch RUN` gets the rows from the service, as long as it has them';

function gone(found: string): RefusedRequest {
  return new RefusedRequest(404, [{ code: 'rows-gone', found, fix }]);
}

export function keptRoute(scope: FastifyInstance, open: OpenRows): void {
  scope.get<{ Params: { id: string } }>(
    '/v1/runs/:id/rows',
    { schema, handlerTimeout: longestMs },
    async ({ params }, reply) => {
      const { name, content } = await open(params.id);
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
        .send(content);
    },
  );
}

const longestMs = 3_600_000;

const schema = {
  operationId: 'getRunRows',
  summary: 'Get the kept rows of a run, in the format of its schedule',
  tags: ['runs'],
  params: runParams,
  response: {
    200: {
      description: 'The file of the run.',
      content: { 'application/octet-stream': { schema: z.string().meta({ examples: ['{"title":"A"}\n'] }) } },
    },
    ...refusals(400, 404),
  },
};
