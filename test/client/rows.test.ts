/** Rows of an answer: however it is cut into pieces, the same rows; and what breaks off is never taken for the end. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Row, type RowLayout, readRows } from '../../src/client/areas/jobs/results/rows.ts';
import { failing } from '../../src/client/errors.ts';

const fail = failing({ method: 'GET', url: 'http://x/rows', read: true }, {});

const row = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 4 }).map(
  // As JSON says it: no negative zero, and `__proto__` a key like others.
  (value) => JSON.parse(JSON.stringify(value)) as Row,
);
const rows = fc.array(row, { maxLength: 8 });
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 30 });
const indent = fc.constantFrom(undefined, 1, '\t');

describe('a JSON array', () => {
  test('returns the same rows for any split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(rows, indent, cuts, async (expected, space, at) => {
        const text = ` \n${JSON.stringify(expected, null, space)}\r\n`;
        expect((await read(text, 'array', at)).rows).toEqual(expected);
      }),
    );
  });

  test('that breaks off anywhere is an error after its whole rows', async () => {
    const filled = fc.array(row, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(filled, cuts, fc.nat(), async (expected, at, where) => {
        const bytes = Buffer.from(JSON.stringify(expected));
        const { rows, error } = await read(bytes.subarray(0, where % bytes.length), 'array', at);
        expect(rows).toEqual(expected.slice(0, rows.length));
        const words = rows.length === 1 ? '1 row' : `${rows.length} rows`;
        expect(error).toContain(`GET http://x/rows gave ${words} and then `);
      }),
    );
  });

  test('returns each row as soon as it is complete', async () => {
    async function* slow() {
      yield Buffer.from('[{"a":1},{"a":2');
      throw new Error('the rest was asked for');
    }
    const iterator = readRows(slow(), 'array', fail);
    expect(await iterator.next()).toEqual({ done: false, value: { a: 1 } });
    await expect(iterator.next()).rejects.toThrow('the rest was asked for');
  });

  test.each([
    ['{"a":1}', 0, 'gave 0 rows and then not a JSON array'],
    ['', 0, 'gave 0 rows and then not a JSON array'],
    ['[{"a":1},]', 1, 'gave 1 row and then one that is not JSON'],
    ['[,]', 0, 'gave 0 rows and then one that is not JSON'],
    ['[{"a":1} {"a":2}]', 0, 'gave 0 rows and then one that is not JSON'],
    ['[{"a":1},{"a":2}]}', 2, 'gave 2 rows and then more after its end'],
    ['[{"a":1}}]', 0, 'gave 0 rows and then one that is not JSON'],
    ['[{"a":1},{"a":"\\"]', 1, 'gave 1 row and then broke off'],
  ])('%s', async (text, count, words) => {
    const { rows, error } = await read(text, 'array', [3]);
    expect(rows).toHaveLength(count);
    expect(error).toContain(words);
  });

  test('keeps rows that are not objects as values', async () => {
    const { rows, error } = await read('[{"a":1},7,null,"x",[1]]', 'array', [4]);
    expect({ rows, error }).toEqual({
      rows: [{ a: 1 }, { value: 7 }, { value: null }, { value: 'x' }, { value: [1] }],
    });
  });

  test('may begin with a byte order mark', async () => {
    expect((await read('\uFEFF[{"a":1}]', 'array', [1, 2])).rows).toEqual([{ a: 1 }]);
  });

  test('of bytes that are no UTF-8 is an error', async () => {
    const bytes = Buffer.concat([Buffer.from('[{"a":"'), Buffer.from([0xc3]), Buffer.from('"}]')]);
    expect((await read(bytes, 'array', [])).error).toContain('gave 0 rows and then one that is not JSON');
  });
});

describe('ndjson', () => {
  test('returns the same rows for any split into chunks, with or without a final line break', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.boolean(),
        cuts,
        async (expected, by, last, at) => {
          const text = expected.map((value) => JSON.stringify(value)).join(by) + (last ? by : '');
          expect((await read(text, 'lines', at)).rows).toEqual(expected);
        },
      ),
    );
  });

  test('that breaks off inside a row is an error', async () => {
    const { rows, error } = await read('{"a":1}\n{"a":2}\n{"a":', 'lines', [5]);
    expect(rows).toHaveLength(2);
    expect(error).toContain('gave 2 rows and then one that is not JSON');
  });
});

describe('objects one after another', () => {
  test('return the same rows for any split into chunks and any indentation', async () => {
    await fc.assert(
      fc.asyncProperty(rows, indent, cuts, async (expected, space, at) => {
        const text = expected.map((value) => JSON.stringify(value, null, space)).join(' \n');
        expect((await read(text, 'objects', at)).rows).toEqual(expected);
      }),
    );
  });

  test('that break off inside a row are an error', async () => {
    const { rows, error } = await read('{"a":1}\n{"a":{"b":"}"}', 'objects', [5]);
    expect([rows, error]).toEqual([[{ a: 1 }], expect.stringContaining('gave 1 row and then broke off')]);
  });
});

/** The rows of a text that comes cut at these places, and the error that it ends in. */
async function read(text: string | Buffer, layout: RowLayout, at: number[]): Promise<{ rows: Row[]; error?: string }> {
  const bytes = Buffer.from(text);
  const places = [0, ...at.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
  async function* pieces() {
    for (const [index, start] of places.slice(0, -1).entries()) yield bytes.subarray(start, places[index + 1]);
  }
  const rows: Row[] = [];
  try {
    for await (const value of readRows(pieces(), layout, fail)) rows.push(value);
    return { rows };
  } catch (error) {
    return { rows, error: String(error) };
  }
}
