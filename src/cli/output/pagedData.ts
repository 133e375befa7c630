/** What `webdata search` and `webdata reviews` share: pages that are asked for one by one. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../diagnostics/problem.ts';
import { counted } from '../../diagnostics/valueWords.ts';
import { pageSize } from '../../service/areas/search/search.ts';
import type { Client } from '../../service/client.ts';
import { problemsBehind } from '../execution/explain.ts';
import { type ExitFlags, withExit } from '../options/exitLocationOptions.ts';
import { positiveNumber, wholeNumber } from '../options/options.ts';
import { type DataFlags, deliver, jsonText, withData } from './dataOutput.ts';
import type { Io } from './io.ts';

export interface PagedFlags extends DataFlags, ExitFlags {
  zone: string;
  pages: number;
  start?: number;
  format: 'json' | 'ndjson';
}

export function withPages(command: Command, results: string): Command {
  return withExit(withData(command))
    .option('--pages <count>', 'the most pages to fetch; each is billed', positiveNumber, 1)
    .option('--start <offset>', 'how many results to skip: 10 is the second page', wholeNumber)
    .addOption(
      new Option('--format <format>', `the pages as a JSON list, or one of the ${results} a line`)
        .choices(['json', 'ndjson'])
        .default('json'),
    );
}

/** What of the flags goes into the request. */
export function pagedRequest({ zone, country, city, dns, session, direct, start, pages: limit }: PagedFlags) {
  return { zone, country, city, dns, session, direct, start, limit };
}

/** @throws ProblemError that says how to go on, where some pages came before what went wrong */
export async function deliverPages<Page>(
  flags: PagedFlags,
  io: Io,
  pagesOf: (client: Client) => AsyncIterable<Page>,
  resultsOf: (page: Page) => readonly unknown[],
): Promise<void> {
  let came = 0;
  async function* counting(pages: AsyncIterable<Page>) {
    for await (const page of pages) {
      came += 1;
      yield page;
    }
  }
  try {
    await deliver(flags, io, (client) => pagesText(counting(pagesOf(client)), flags.format, resultsOf));
  } catch (error) {
    throw came === 0 && !io.signal.aborted ? error : brokenOff(error, came, flags, io);
  }
}

/** A list is written once it is whole; lines are, as their page comes. */
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

function brokenOff(error: unknown, came: number, { format, output, start = 0 }: PagedFlags, { signal }: Io) {
  const isKept = format === 'ndjson' && output === undefined;
  const goOn = isKept
    ? `\`--start ${start + came * pageSize}\` goes on after ${counted(came, 'page')}`
    : `${counted(came, 'page')} came and nothing is written; --format ndjson on stdout writes each page as it comes`;
  return new ProblemError(
    problemsBehind(error, signal).map(({ fix, ...problem }) => ({
      ...problem,
      fix: [...(fix === undefined ? [] : [fix]), goOn].join(' '),
    })),
  );
}
