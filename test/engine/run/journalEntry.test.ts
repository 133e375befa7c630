/** Lines of a journal: entries, lines that a crash cut off, and damaged ones. */
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/engine/run/journalEntry.ts';

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

  it.each([
    // A cut line begins as entries begin, and has open brackets.
    ['{"type":"', { kind: 'cut' }],
    ['{"', { kind: 'cut' }],
    ['{"run":"aaaa"', { kind: 'damaged', found: 'is not JSON', run: 'aaaa', at: undefined }],
    ['[{"type":"end"', { kind: 'damaged', found: 'is not JSON' }],
    ['{"type":"sending","call":{"moves":[{"ip":"192', { kind: 'cut' }],
    ['{"type":"end","note":"an escaped \\" and a }', { kind: 'cut' }],
    ['{"type":"end","note":"two\nlines }', { kind: 'cut' }],
    ['{"type":"end","list":[1}', { kind: 'damaged', found: 'is not JSON' }],
    ['{"type":"end"}, {"type":"end"', { kind: 'damaged', found: 'is not JSON' }],
    [
      '{"type":"end","run":"a-b_1","at":"2026-07-01T10:00:00Z"}}',
      { kind: 'damaged', run: 'a-b_1', at: '2026-07-01T10:00:00Z' },
    ],
    ['{"run":"a b","at":"2026-07-01"', { kind: 'damaged', run: undefined, at: undefined }],
    ['{"at":"x2026-07-01T10:00:00Z"', { kind: 'damaged', at: undefined }],
  ])('without its end is cut, anything else is damaged: %s', (line, expected) => {
    expect(parseLine(line)).toMatchObject(expected);
  });

  it('is an entry only with zeros at its end', () => {
    expect(parseLine(`\0${text}`)).toMatchObject({ kind: 'damaged' });
  });

  const seen = { type: 'seen', run: 'aaaa', seq: 0, at };

  it.each([
    [
      { ...seen, took: false },
      { ...seen, took: false },
    ],
    [seen, { ...seen, moved: [], notMoved: [], elsewhere: [], notVisible: [] }],
    [
      { ...seen, final: true, moved: ['a'], notMoved: ['b'], elsewhere: ['c'], notVisible: ['d'] },
      { ...seen, final: true, moved: ['a'], notMoved: ['b'], elsewhere: ['c'], notVisible: ['d'] },
    ],
    [
      { type: 'failed', run: 'aaaa', seq: 1, at, code: 'c', message: 'm', effect: 'none', later: 'field' },
      { type: 'failed', run: 'aaaa', seq: 1, at, code: 'c', message: 'm', effect: 'none' },
    ],
    [
      { type: 'answered', run: 'aaaa', seq: 1, at, count: 2 },
      { type: 'answered', run: 'aaaa', seq: 1, at, count: 2 },
    ],
    [
      { type: 'failed', run: 'aaaa', seq: 1, at, code: 'c', message: 'm', effect: 'unknown' },
      { type: 'failed', run: 'aaaa', seq: 1, at, code: 'c', message: 'm', effect: 'unknown' },
    ],
  ])('has its fields, and no others: %j', (written, entry) => {
    expect(parseLine(JSON.stringify(written))).toEqual({ kind: 'entry', entry });
  });

  const header = { type: 'run', run: 'aaaa', at, command: 'apply', origin: 'https://api.example.com', version: '1' };

  it.each(['apply', 'destroy', 'undo', 'zones migrate'])('begins a run of %s', (command) => {
    const whole = { ...header, command, account: 'eu', plan: 'p-1', undoes: 'bbbb' };
    expect(parseLine(JSON.stringify(whole))).toEqual({ kind: 'entry', entry: whole });
  });

  it.each([
    [{ ...header, command: 'plan' }, 'command'],
    [{ ...header, at: '2026-07-01' }, 'at'],
    [{ ...seen, seq: 1.5 }, 'seq'],
    [{ ...seen, moved: [7] }, 'moved[0]'],
    [{ type: 'failed', run: 'aaaa', seq: 1, at, code: 'c', message: 'm', effect: 'some' }, 'effect'],
    [{ ...end, type: 'ended' }, 'type'],
  ])('names the field that is wrong: %j', (written, field) => {
    expect(parseLine(JSON.stringify(written))).toMatchObject({
      kind: 'damaged',
      found: expect.stringContaining(`was edited, or written by a newer version: at ${field}: `),
    });
  });

  it.each(['null', '[]', '"aaaa"'])('is damaged if it is JSON of another kind: %s', (line) => {
    expect(parseLine(line)).toMatchObject({ kind: 'damaged', run: undefined, at: undefined });
  });
});
