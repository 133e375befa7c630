/** `webdata search QUERY`. */
import type { Command } from 'commander';
import type { Client } from '../../../client/client.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { fetchAndWritePages, type PagedFlags, pagedRequest, withPages } from '../../output/pagedData.ts';

export function addSearch(command: Command, { io, end }: Shell): void {
  withPages(command.argument('<query>', 'search query'), 'organic results').action(
    async (query: string, flags: PagedFlags) => end(await search(query, flags, io)),
  );
  addExamples(command, {
    'webdata search coffee --zone results': 'first page, from service.profile.searchEngineUrl',
    'webdata search coffee --zone results --pages 3 --format ndjson': 'three pages, one result per line',
    'webdata search coffee --zone results --country us --session shopper-1': 'as one shopper in one country sees it',
    'webdata search coffee --zone results --start 30 --output page4.json': 'fourth page, in a file',
  });
}

async function search(query: string, flags: PagedFlags, io: Io): Promise<ExitCode> {
  const pages = ({ search: { pages: inTurn } }: Client) => inTurn({ ...pagedRequest(flags), query });
  await fetchAndWritePages(flags, io, pages, ({ organic }) => organic);
  return exitCodes.done;
}
