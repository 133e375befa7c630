/** `webdata reviews`: pages of the reviews of a place. */
import type { Command } from 'commander';
import type { Client } from '../../../service/client.ts';
import { examples } from '../../options/examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { deliverPages, type PagedFlags, pagedRequest, withPages } from '../../output/pagedData.ts';

export function addReviews(command: Command, { io, end }: Shell): void {
  withPages(command.argument('<fid>', 'feature id of the place: knowledge.fid of a search page'), 'reviews')
    .addHelpText(
      'after',
      examples({
        'webdata reviews 0x89e3:0x5a1f --zone results': 'the first page of reviews',
        'webdata reviews 0x89e3:0x5a1f --zone results --pages 5 --format ndjson --output reviews.ndjson':
          'up to five pages, one review a line, into a file',
      }),
    )
    .action(async (fid: string, flags: PagedFlags) => end(await reviews(fid, flags, io)));
}

async function reviews(fid: string, flags: PagedFlags, io: Io): Promise<ExitCode> {
  const pages = ({ search: { reviewPages } }: Client) => reviewPages({ ...pagedRequest(flags), fid });
  await deliverPages(flags, io, pages, (page) => page.reviews);
  return exitCodes.done;
}
