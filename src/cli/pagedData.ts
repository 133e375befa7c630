/** What `webdata search` and `webdata reviews` share: pages that are asked for one by one. */
import { type Command, Option } from 'commander';
import { type DataFlags, jsonText, withData } from './dataOutput.ts';
import { positiveNumber, wholeNumber } from './options.ts';

export interface PagedFlags extends DataFlags {
  zone: string;
  country?: string;
  pages: number;
  start?: number;
  format: 'json' | 'ndjson';
}

export function withPages(command: Command, results: string): Command {
  return withData(command)
    .option('--country <code>', 'country of the exit')
    .option('--pages <count>', 'the most pages to fetch; each is billed', positiveNumber, 1)
    .option('--start <offset>', 'how many results to skip: 10 is the second page', wholeNumber)
    .addOption(
      new Option('--format <format>', `the pages as a JSON list, or one of the ${results} a line`)
        .choices(['json', 'ndjson'])
        .default('json'),
    );
}

/** What of the flags goes into the request. */
export function pagedRequest({ zone, country, start, pages: limit }: PagedFlags) {
  return { zone, country, start, limit };
}

/** A list is written once it is whole; lines are, as their page comes. */
export async function* pagesText<Page>(
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
