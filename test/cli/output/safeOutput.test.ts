/** Data from outside neither steers a terminal nor runs in a spreadsheet, and loses nothing elsewhere. */
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { run } from '../../../src/cli/main.ts';
import { loopback } from '../../client/loopback.ts';
import { openHarness } from '../harness.ts';

const clears = '\u001b[2J';
const reverses = '\u202e';
const rows = [
  { a: `x${clears}`, b: `y${reverses}`, c: '=1+1' },
  { a: '+cmd|x', b: '-2+3', c: '@SUM(1)' },
  { a: '\t=1', b: '-12.5', c: -12.5 },
  { a: '+49', b: '=5', c: 'a=b, "-"' },
];

async function collect(
  format: string,
  { isTTY = false, args = [] as string[], answer = rows as object[] } = {},
): Promise<string> {
  const service = await loopback({ body: answer });
  await using harness = await openHarness('plain');
  const text: string[] = [];
  const stdout = { isTTY, write: (piece: string | Uint8Array) => text.push(Buffer.from(piece).toString()) };
  const stderr = { write: () => undefined };
  const env = { WEBDATA_API_URL: service.url, WEBDATA_API_KEY: 'key' };
  const io = { stdout, stderr, env, cwd: harness.folder, signal: new AbortController().signal };
  expect(await run(['collect', '--resume', 'j_1', '--format', format, ...args], io)).toBe(0);
  return text.join('');
}

it('CSV has no formulas and no escape sequences, and numbers as they are', async () => {
  const text = await collect('csv');
  expect(parse(text)).toEqual([
    ['a', 'b', 'c'],
    ['x\\u{1b}[2J', `y${reverses}`, "'=1+1"],
    ["'+cmd|x", "'-2+3", "'@SUM(1)"],
    ["'\t=1", '-12.5', '-12.5'],
    ['+49', "'=5", 'a=b, "-"'],
  ]);
});

it('CSV has no formula behind the byte order mark that a spreadsheet drops at its start', async () => {
  const text = await collect('csv', { answer: [{ '\ufeff=1+1': '\ufeff@SUM(1)' }] });
  expect(text).toBe("'\ufeff=1+1\r\n'\ufeff@SUM(1)\r\n");
});

it.each(['json', 'ndjson', 'csv'])('a terminal gets no raw control or format character, as %s', async (format) => {
  const text = await collect(format, { isTTY: true });
  for (const raw of ['\u001b', reverses]) expect(text).not.toContain(raw);
  expect(text).toContain('\\u202e');
});

it.each(['json', 'ndjson'])('%s has the same values on a terminal and elsewhere', async (format) => {
  const read = (text: string): unknown =>
    format === 'json'
      ? JSON.parse(text)
      : text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
  expect(read(await collect(format, { isTTY: true }))).toEqual(rows);
  expect(read(await collect(format))).toEqual(rows);
});
