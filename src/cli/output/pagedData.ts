/** Result pages of `webdata search` and `webdata reviews`, requested one by one. */
import type { Command } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { jsonText } from '../../base/values/printable.ts';
import { pageSize } from '../../client/areas/search/search.ts';
import type { Client } from '../../client/client.ts';
import { explainedProblems } from '../../engine/doors/declaration.ts';
import { type ExitLocationFlags, withExitLocation } from '../options/options.ts';
import { formatOption, positiveNumber, wholeNumber } from '../options/values.ts';
import { type DataFlags, fetchAndWrite, withZoneData } from './dataOutput.ts';
import type { Io } from './io.ts';

export interface PagedFlags extends DataFlags, ExitLocationFlags {
  zone: string;
  pages: number;
  start?: number;
  format: 'json' | 'ndjson';
}

export function withPages(command: Command, results: string): Command {
  return withExitLocation(withZoneData(command))
    .option('--pages <count>', 'maximum number of pages; each is billed', positiveNumber, 1)
    .option('--start <offset>', 'number of results to skip; 10 starts at the second page', wholeNumber)
    .addOption(formatOption(['json', 'ndjson'], `JSON list of pages, or the ${results}, one per line`));
}

/** Returns the fields of the request. */
export function pagedRequest({ zone, country, city, dns, session, direct, start, pages: limit }: PagedFlags) {
  return { zone, country, city, dns, session, direct, start, limit };
}

/** Fetches and writes pages. @throws ProblemError that explains how to continue if some pages arrived before the error */
export async function fetchAndWritePages<Page>(
  flags: PagedFlags,
  io: Io,
  pagesOf: (client: Client) => AsyncIterable<Page>,
  resultsOf: (page: Page) => readonly unknown[],
): Promise<void> {
  let received = 0;
  async function* counting(pages: AsyncIterable<Page>) {
    for await (const page of pages) {
      received += 1;
      yield page;
    }
  }
  try {
    await fetchAndWrite(flags, io, (client) => pagesText(counting(pagesOf(client)), flags.format, resultsOf));
  } catch (error) {
    throw received === 0 && !io.signal.aborted ? error : brokenOff(error, received, flags, io);
  }
}

/** Yields a JSON list when it is complete, and lines as each page arrives. */
async function* pagesText<Page>(
  pages: AsyncIterable<Page>,
  format: PagedFlags['format'],
  resultsOf: (page: Page) => readonly unknown[],
): AsyncGenerator<string, void, undefined> {
  const whole: Page[] = [];
  for await (const page of pages) {
    if (format === 'json') whole.push(page);
    else for (const result of resultsOf(page)) yield `${JSON.stringify(result)}\n`;
  }
  if (format === 'json') yield jsonText(whole);
}

function brokenOff(error: unknown, received: number, { format, output, start = 0 }: PagedFlags, { signal }: Io) {
  const isWritten = format === 'ndjson' && output === undefined;
  const next = isWritten
    ? `to continue after ${counted(received, 'page')}, pass \`--start ${start + received * pageSize}\``
    : `${counted(received, 'page')} arrived, but nothing was written; --format ndjson on stdout writes each page as it arrives`;
  return new ProblemError(
    explainedProblems(error, signal).map(({ fix, ...problem }) => ({
      ...problem,
      fix: [...(fix === undefined ? [] : [fix]), next].join(' '),
    })),
  );
}
