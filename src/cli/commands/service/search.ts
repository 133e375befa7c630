/** `webdata search`: pages of search results. */
import type { Command } from 'commander';
import type { Client } from '../../../service/client.ts';
import { examples } from '../../options/examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { deliverPages, type PagedFlags, pagedRequest, withPages } from '../../output/pagedData.ts';

export function addSearch(command: Command, { io, end }: Shell): void {
  withPages(command.argument('<query>', 'what to search for'), 'organic results')
    .addHelpText(
      'after',
      examples({
        'webdata search coffee --zone results': 'the first page; service.profile.searchEngineUrl says where',
        'webdata search coffee --zone results --pages 3 --format ndjson': 'three pages, one result a line',
        'webdata search coffee --zone results --country us --session shopper-1':
          'as one shopper in one country sees it',
        'webdata search coffee --zone results --start 30 --output page4.json': 'the fourth page, into a file',
      }),
    )
    .action(async (query: string, flags: PagedFlags) => end(await search(query, flags, io)));
}

async function search(query: string, flags: PagedFlags, io: Io): Promise<ExitCode> {
  const pages = ({ search: { pages: inTurn } }: Client) => inTurn({ ...pagedRequest(flags), query });
  await deliverPages(flags, io, pages, ({ organic }) => organic);
  return exitCodes.done;
}
