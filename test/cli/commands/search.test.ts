/** `webdata search` and `webdata reviews` on an emulator. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { AccountInput } from '../../../src/emulator/index.ts';
import { place, searchEngineUrl, searchPages } from '../../searchPages.ts';
import { type Harness, openHarness } from '../harness.ts';

const account: AccountInput = {
  id: 'hl_example',
  zones: { results: { type: 'search' } },
  pages: searchPages('grand hotel'),
};

async function openSearch(): Promise<Harness> {
  const harness = await openHarness(account);
  await harness.write('webdata.yaml', `service: { profile: { searchEngineUrl: ${searchEngineUrl} } }\n`);
  return harness;
}

const search = ['search', 'grand hotel', '--zone', 'results'];

interface Page {
  organic: { global_rank: number }[];
}

const jsonLines = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

const startsOf = ({ emulator }: Harness) =>
  emulator.requests().map(({ body }) => new URL((body as { url: string }).url).searchParams.get('start'));

describe('webdata search', () => {
  it('writes the pages as a list', async () => {
    await using harness = await openSearch();
    const { code, stdout, stderr } = await harness.webdata(...search, '--pages', '2', '--country', 'us');
    const pages = JSON.parse(stdout) as Page[];
    expect([code, stderr, pages.length]).toEqual([0, '', 2]);
    expect(pages.flatMap(({ organic }) => organic.map((result) => result.global_rank))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(harness.emulator.requests()[0]?.body).toMatchObject({ country: 'us', zone: 'results', format: 'raw' });
  });

  it('fetches one page if nobody asks for more, and from where it is told', async () => {
    await using harness = await openSearch();
    await harness.webdata(...search);
    await harness.webdata(...search, '--start', '30');
    expect(startsOf(harness)).toEqual(['0', '30']);
  });

  it('ends at the empty page, however many are asked for', async () => {
    await using harness = await openSearch();
    const { code, stdout } = await harness.webdata(...search, '--pages', '99', '--format', 'ndjson');
    const ranks = jsonLines(stdout).map((result) => result.global_rank);
    expect([code, ranks]).toEqual([0, ranks.map((_, index) => index + 1)]);
    expect(startsOf(harness)).toEqual(['0', '10', '20', '30', '40', '50']);
  });

  it('leaves from where it is told', async () => {
    await using harness = await openSearch();
    const exit = ['--country', 'us', '--city', 'boston', '--session', 'shopper-1', '--dns', 'remote', '--direct'];
    expect(await harness.webdata(...search, ...exit)).toMatchObject({ code: 0 });
    expect(await harness.webdata('reviews', '0x1:0x2', '--zone', 'results', ...exit)).toMatchObject({ code: 0 });
    const sent = { country: 'us', city: 'boston', session: 'shopper-1', dns: 'remote', direct: true };
    expect(harness.emulator.requests().map(({ body }) => body)).toMatchObject([sent, sent]);
    expect(await harness.webdata(...search, '--city', 'boston')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`city` without `country`'),
    });
  });

  it('says where to go on after pages that came, or that nothing of them is written', async () => {
    await using harness = await openSearch();
    const fault = { route: 'request', occurrence: [3, 6], fault: { kind: 'status', status: 500 } } as const;
    harness.emulator.addFault({ ...fault, occurrence: [...fault.occurrence] });
    const lines = await harness.webdata(...search, '--pages', '9', '--start', '10', '--format', 'ndjson');
    expect([lines.code, lines.stderr]).toEqual([
      1,
      expect.stringContaining('to continue after 2 pages, pass `--start 30`'),
    ]);
    const list = await harness.webdata(...search, '--pages', '9');
    expect(list).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('2 pages arrived, but nothing was written'),
    });
  });

  it('keeps the lines of the pages that came before one that fails', async () => {
    await using harness = await openSearch();
    harness.emulator.addFault({ route: 'request', occurrence: 2, fault: { kind: 'status', status: 500 } });
    const { code, stdout, stderr } = await harness.webdata(...search, '--pages', '3', '--format', 'ndjson');
    expect([code, jsonLines(stdout).length]).toEqual([1, 10]);
    expect(stderr).toContain('/request was answered 500');
    expect(startsOf(harness)).toEqual(['0', '10']);
  });

  it('writes no list and no file that is not whole', async () => {
    await using harness = await openSearch();
    const fault = { route: 'request', occurrence: [2, 4], fault: { kind: 'status', status: 500 } } as const;
    harness.emulator.addFault({ ...fault, occurrence: [...fault.occurrence] });
    expect(await harness.webdata(...search, '--pages', '3')).toMatchObject({ code: 1, stdout: '' });
    const toFile = [...search, '--pages', '3', '--format', 'ndjson', '--output', 'results.ndjson'];
    expect(await harness.webdata(...toFile)).toMatchObject({ code: 1, stdout: '' });
    expect(await readdir(harness.folder)).toEqual(['webdata.yaml']);
  });

  it('says what is not set, and what cannot be', async () => {
    await using harness = await openSearch();
    await harness.write('none.yaml', '');
    expect(await harness.webdata(...search, '-f', 'none.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr: `the address of the search engine is not set
  fix: set searchEngineUrl in the service profile (service.profile.searchEngineUrl in the file)
`,
    });
    const { code, stderr } = await harness.webdata(...search, '--pages', '0');
    expect([code, stderr]).toEqual([1, expect.stringContaining('It must be a whole number, 1 or more.')]);
  });
});

describe('webdata reviews', () => {
  it('writes one review a line, with its rating as a number', async () => {
    await using harness = await openSearch();
    const { code, stdout, stderr } = await harness.webdata(
      ...['reviews', place, '--zone', 'results', '--pages', '2', '--format', 'ndjson', '--start', '10'],
    );
    const reviews = jsonLines(stdout);
    expect([code, stderr]).toEqual([0, '']);
    expect(reviews.length).toBeGreaterThan(10);
    for (const { rating, ratingValue } of reviews) expect(rating).toBe(`${ratingValue}/5`);
    expect(startsOf(harness)).toEqual(['10', '20']);
  });

  it('writes an empty list for a place without any', async () => {
    await using harness = await openSearch();
    expect(await harness.webdata('reviews', '0x1:0x2', '--zone', 'results')).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });
});
