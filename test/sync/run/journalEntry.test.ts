/** Lines of a journal: entries, lines that a crash cut off, and damaged ones. */
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/sync/run/journalEntry.ts';

const at = '2026-07-01T10:00:00.000Z';
const end = { type: 'end', run: 'aaaa', at, result: 'done' };
const text = JSON.stringify(end);

describe('a line', () => {
  it('is an entry, also with spaces and with zeros after a power cut', () => {
    expect(parseLine(text)).toEqual({ kind: 'entry', entry: end });
    expect(parseLine(` ${text}\r\0\0`)).toEqual({ kind: 'entry', entry: end });
  });

  it.each([[''], ['  '], ['\0\0\0'], [' \0']])('is nothing if it is empty: %j', (line) => {
    expect(parseLine(line)).toBeUndefined();
  });

  it('is cut wherever it ends early', () => {
    for (let length = 1; length < text.length; length += 1) {
      expect([length, parseLine(text.slice(0, length))]).toEqual([length, { kind: 'cut' }]);
    }
    expect(parseLine('{"type":"seen","a":{"b":["}\\"')).toEqual({ kind: 'cut' });
  });

  it('is damaged if it is no JSON, with the run and the time that it still shows', () => {
    expect(parseLine(`${text}x`)).toEqual({ kind: 'damaged', found: 'is not JSON', run: 'aaaa', at });
    expect(parseLine('nothing')).toEqual({ kind: 'damaged', found: 'is not JSON', run: undefined, at: undefined });
    expect(parseLine('{"type":"end"]')).toMatchObject({ kind: 'damaged' });
    expect(parseLine('{"type":"end"}}')).toMatchObject({ kind: 'damaged' });
  });

  it('is damaged if its fields are not those of an entry', () => {
    expect(parseLine(JSON.stringify({ ...end, result: 'half' }))).toMatchObject({
      kind: 'damaged',
      found: expect.stringMatching(/^was edited, or written by a newer version: at result: /),
      run: 'aaaa',
      at,
    });
    expect(parseLine('7')).toMatchObject({ kind: 'damaged', found: expect.stringContaining('at its top: ') });
    expect(parseLine(JSON.stringify({ type: 'end', run: 7, at: 'then' }))).toMatchObject({
      kind: 'damaged',
      run: undefined,
      at: undefined,
    });
  });
});
