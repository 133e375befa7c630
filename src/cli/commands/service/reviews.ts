/** `webdata reviews FID`. */
import type { Command } from 'commander';
import type { Client } from '../../../client/client.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { fetchAndWritePages, type PagedFlags, pagedRequest, withPages } from '../../output/pagedData.ts';

export function addReviews(command: Command, { io, end }: Shell): void {
  withPages(command.argument('<fid>', 'feature ID of the place: knowledge.fid of a search page'), 'reviews').action(
    async (fid: string, flags: PagedFlags) => end(await reviews(fid, flags, io)),
  );
  addExamples(command, {
    'webdata reviews 0x89e3:0x5a1f --zone results': 'first page of reviews',
    'webdata reviews 0x89e3:0x5a1f --zone results --pages 5 --format ndjson --output reviews.ndjson':
      'up to five pages, one review per line, in a file',
  });
}

async function reviews(fid: string, flags: PagedFlags, io: Io): Promise<ExitCode> {
  const pages = ({ search: { reviewPages } }: Client) => reviewPages({ ...pagedRequest(flags), fid });
  await fetchAndWritePages(flags, io, pages, (page) => page.reviews);
  return exitCodes.done;
}
