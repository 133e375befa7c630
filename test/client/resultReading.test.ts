/** One table of answers, each with its one right reading, and the rules that hold for all of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ContentForm,
  type ResultFormat,
  type ResultReading,
  type ResultRequest,
  readResult,
} from '../../src/client/areas/jobs/results/resultReading.ts';

type Expected = ContentForm | Exclude<ResultReading['kind'], 'content'>;

interface Answer {
  status?: number;
  type?: string;
  /** A text, or a value that is sent as JSON. */
  body: unknown;
  format?: ResultFormat;
  isRecent?: boolean;
  isWhole?: boolean;
}

const csv = (body: string, more: Partial<Answer> = {}): Answer => ({ body, format: 'csv', ...more });
const ndjson = (body: unknown, more: Partial<Answer> = {}): Answer => ({ body, format: 'ndjson', ...more });
const json = (body: unknown, more: Partial<Answer> = {}): Answer => ({ body, ...more });
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>building</body></html>';
const row = { url: 'https://shop.example.com/1', title: 'Item 1', input: { url: 'https://shop.example.com/1' } };

const answers: [Expected, ...Answer[]][] = [
  [
    'array',
    json([]),
    json(`\uFEFF${JSON.stringify([row])}`),
    json([row]),
    json([row], { type: 'text/plain' }),
    json([row], { status: 203 }),
    json([{ status: 'building' }]),
    json([{ status: 'failed', error: 'timeout', input: { url: 'x' } }]),
    json([{ error: 'Page not found', input: null }]),
    json([{ title: 'The building is not ready' }]),
    json([{ message: 'a' }, { message: 'Snapshot not ready' }]),
    json([null]),
    json('[{"status":"building","text":"', { isWhole: false }),
    ndjson([row]),
    csv(JSON.stringify([row])),
  ],
  [
    'objects',
    json({ name: 'Acme', about: 'We build', founded: 1999, input: { url: 'x' } }),
    json({ status: 'active', name: 'Acme', website: 'https://acme.example' }),
    json({ status: 'ready', data: [row] }),
    json({ status: 'building', input: { url: 'x' } }),
    ndjson({ title: 'Item 1' }),
    ndjson({ status: 'building', floors: 12 }),
    ndjson({ id: 'order-17', status: 'failed', message: 'timeout' }),
    ndjson({ error: 'Page not found', url: 'https://shop.example.com/1', input: {} }),
    ndjson({}),
    json('{"a":1} {"a":2}'),
    ndjson({ title: 'The building is not ready', description: 'Snapshot not found' }),
    ndjson({ pending: true, title: 'Item 1' }),
    json({ pending: true, name: 'Acme', website: 'https://acme.example' }),
    json(`{"name":"${'x'.repeat(100)}`, { isWhole: false }),
  ],
  [
    'lines',
    ndjson('{"a":1}\n{"error":"none"}\n'),
    ndjson('{"status":"building"}\n{"status":"building"}'),
    ndjson(''),
    ndjson('{"a":1}\n\n{"a":2}'),
    ndjson('{"a":1}\n{"a":', {}),
    json('{"a":1}\n{"a":2}\n'),
    ndjson('{"a":1}\n{"a":2}\n{"a":', { isWhole: false }),
  ],
  [
    'table',
    csv('id,building,floor\r\n1,North,2\r\n'),
    csv('building,floor'),
    csv('status,note\nbuilding,"Snapshot not ready"\nbuilding,none'),
    csv('building', { type: 'text/csv' }),
    csv('building status;address\nnot ready;Main St'),
    csv('error,url\nPage not found,https://a.example'),
    csv(''),
    csv('id,state,message\n1,failed,timeout', { type: 'text/csv; charset=utf-8' }),
    csv('"building, floor",name'),
    csv('name,text\nAcme,"', { isWhole: false }),
    json('name,founded\nAcme,1999', { type: 'text/csv' }),
    json('name,founded\nAcme,1999'),
  ],
  [
    'notReady',
    json({ status: 'building' }),
    json('{status: building}', { type: 'application/json' }),
    json({ status: 'building', message: 'try again in a few minutes', progress: 40, eta: null }),
    json({ status: 'Building' }, { type: 'text/plain' }),
    json({ pending: true }),
    json({ pending: true, failed: false }),
    json({ ready: false }),
    json({ done: false, success: true }),
    json({ snapshot: { building: true } }),
    ndjson({ pending: true }),
    json({ status: 'collecting' }),
    json({ status: 'in_progress', pages: 12 }),
    json({ status: 'building', errors: [], error: null }),
    json({ status: 'running', failed_inputs: 3, message: '3 inputs failed, retrying' }),
    json({ snapshot: { id: 's_abc', status: 'pending' } }),
    json({ status: 'error', error: 'Snapshot not ready' }),
    json({ error: { code: 'not_ready', message: 'come back' } }),
    json({ error: 'Snapshot not ready' }),
    json({ message: 'Hold the line' }),
    json({ message: 'No errors yet' }),
    json({ error: 'Error: snapshot not ready' }),
    json({ error: 'Building, 3 inputs failed so far' }),
    json({ status: 'ready' }),
    json({ snapshot_id: 's_abc' }),
    json({}),
    json(''),
    json('null'),
    json('Snapshot is building, try again in a few minutes'),
    json('"Snapshot is building"'),
    json('Your data is simmering'),
    json([{ error: 'Snapshot not ready' }]),
    ndjson({ status: 'building' }),
    ndjson({ id: 's_abc', status: 'baking' }),
    ndjson({ error: 'Snapshot not ready' }),
    ndjson('{\n  "error": "Snapshot not ready"\n}'),
    ndjson('Snapshot is building. Try again in a few minutes'),
    csv('Snapshot is building, try again in a few minutes', { type: 'text/csv' }),
    csv('"Snapshot is building"', { type: 'text/csv' }),
    csv('error\nSnapshot not ready\n', { type: 'text/csv' }),
    csv('message,code\n"Snapshot is building, try again",17'),
    csv('Your data is simmering, please be patient.'),
    json('', { status: 204 }),
    ndjson('', { status: 202 }),
    json([row], { status: 202 }),
    json(page, { status: 202 }),
    json({ error: 'Snapshot not found' }, { status: 202 }),
    json([row], { status: 425 }),
    json({ error: 'Conflict' }, { status: 409 }),
    json('', { status: 404, isRecent: true }),
    json({ error: 'Snapshot not found' }, { status: 404, isRecent: true }),
    json({ error: 'Snapshot not found' }, { isRecent: true }),
    json({ error: 'Snapshot not ready' }, { status: 404 }),
    json('Snapshot is building, try again in a few minutes', { status: 400 }),
    json({ status: 'cooking' }, { status: 400 }),
  ],
  [
    'failed',
    json({ status: 'failed' }),
    json({ status: 'failed', message: 'the site was not ready for us', error_code: 'E7' }),
    json({ status: 'canceled' }),
    json({ state: 'aborted', rows: 0 }),
    json({ status: 'timeout' }),
    json({ job: { state: 'failed', reason: 'blocked' } }),
    json({ error: 'Collection failed' }),
    json('Job 17 of c_prices failed'),
    json({ message: 'Crawl aborted' }),
    json('Collection failed: out of memory'),
    json('Building was cancelled'),
    ndjson('The job was aborted'),
    csv('The job was aborted', { type: 'text/csv' }),
    json({ status: 'failed', error: 'blocked' }, { status: 409 }),
    json({ status: 'failed' }, { status: 400 }),
    json({ error: 'Collection failed' }, { status: 422 }),
  ],
  [
    'gone',
    json({ error: 'Snapshot not found' }),
    json('"Snapshot has expired"'),
    json({ status: 'expired' }),
    json([{ error: 'Snapshot not found' }]),
    ndjson({ error: 'Snapshot not found' }),
    csv('error\n"Snapshot not found"', { type: 'text/csv' }),
    json('', { status: 404 }),
    json(page, { status: 404 }),
    json({ error: 'Snapshot not found' }, { status: 400 }),
    json('', { status: 410, isRecent: true }),
  ],
  [
    'refused',
    json(page),
    ndjson(page),
    csv(page, { type: 'text/html' }),
    csv('<p>building</p>'),
    json(`${page}${' '.repeat(50_000)}`, { isWhole: false }),
    json({ error: 'Format not supported' }),
    json('Invalid API key'),
    json({ error: 'Snapshot not ready' }, { status: 401 }),
    json('Snapshot is building', { status: 402 }),
    json('', { status: 401, isRecent: true }),
    json({ error: 'Format not supported' }, { status: 400 }),
    json('Validation failed', { status: 422 }),
    json('building', { status: 302 }),
  ],
  [
    'unavailable',
    json({ status: 'building' }, { status: 500 }),
    json({ error: 'Snapshot not ready' }, { status: 503 }),
    json([row], { status: 504 }),
    json(page, { status: 502 }),
    json('try again later', { status: 429 }),
    json('', { status: 408 }),
  ],
];

describe('an answer', () => {
  const cases = answers.flatMap(([expected, ...list]) => list.map((answer) => [titleOf(answer), expected, answer]));
  test.each(cases as [string, Expected, Answer][])('%s is %s', (_title, expected, answer) => {
    expect(readingOf(answer)).toBe(expected);
  });
});

describe('words', () => {
  test.each([
    [{ status: 'collecting', message: 'page 3 of 9', progress: 33 }, 'collecting, page 3 of 9, progress: 33'],
    [{ status: 'failed', error: { code: 'E7', message: 'blocked' }, inputs: 2 }, 'failed, E7, blocked, inputs: 2'],
    [{ state: 'canceled', reasons: ['too slow', 'blocked'], by: null }, 'canceled, reasons: too slow blocked'],
    ['Your data\n is   simmering', 'Your data is simmering'],
    [page, 'an HTML page instead of JSON: Sign in'],
  ])('are all those of the answer: %j', (body, words) => {
    expect(read({ body })).toMatchObject({ words });
  });
});

const formats = fc.constantFrom<ResultFormat>('json', 'ndjson', 'csv');
const notice = fc.constantFrom<unknown>(
  { status: 'building' },
  { error: 'Snapshot not ready' },
  'Snapshot is building, try again in a few minutes',
  '"Snapshot not ready"',
  { status: 'failed' },
  { error: 'Snapshot not found' },
);
const anyBody = fc.oneof(notice, fc.jsonValue(), fc.string());
const context = { format: formats, isRecent: fc.boolean(), isWhole: fc.boolean() };

describe('the status', () => {
  test('of a refused key and of a server error is never "not ready", whatever the body says', () => {
    fc.assert(
      fc.property(fc.record({ body: anyBody, ...context }), fc.constantFrom(401, 402, 403, 407), (answer, status) => {
        expect(readingOf({ ...answer, status })).toBe('refused');
      }),
    );
    fc.assert(
      fc.property(
        fc.record({ body: anyBody, ...context }),
        fc.constantFrom(500, 502, 503, 504, 429),
        (answer, status) => {
          expect(readingOf({ ...answer, status })).toBe('unavailable');
        },
      ),
    );
  });

  test('that is not 2xx, and 202, 204 and 425, are never content', () => {
    const statuses = fc.oneof(fc.constantFrom(202, 204, 205), fc.integer({ min: 300, max: 599 }));
    fc.assert(
      fc.property(fc.record({ body: anyBody, ...context }), statuses, (answer, status) => {
        expect(read({ ...answer, status }).kind).not.toBe('content');
      }),
    );
  });

  test('of a success makes no content of an HTML page, whatever its content type says', () => {
    const pages = fc.constantFrom(page, '<html>building</html>', '<?xml version="1.0"?><html/>', '<body>ready</body>');
    const types = fc.constantFrom('text/html', 'application/json', 'text/csv', undefined);
    fc.assert(
      fc.property(pages, types, formats, fc.boolean(), (body, type, format, isRecent) => {
        expect(readingOf({ body, format, isRecent, ...(type && { type }) })).toBe('refused');
      }),
    );
  });
});

describe('rows', () => {
  const word = fc.constantFrom('building', 'not ready', 'Snapshot not ready', 'failed', 'Snapshot not found', 'error');
  const field = fc.constantFrom('status', 'state', 'error', 'message', 'code', 'title', 'building', 'url');
  const anyRow = fc.dictionary(field, fc.oneof(word, fc.string(), fc.integer()), { minKeys: 1, maxKeys: 5 });
  const echoed = anyRow.map((fields) => ({ ...fields, input: { url: 'https://shop.example.com/' } }));

  test('with their input are never taken for a notice, whatever words they have', () => {
    fc.assert(
      fc.property(fc.array(echoed, { minLength: 1, maxLength: 4 }), fc.boolean(), (rows, isRecent) => {
        expect(readingOf({ body: rows, isRecent })).toBe('array');
        const lines = rows.map((each) => JSON.stringify(each)).join('\n');
        expect(readingOf({ body: lines, format: 'ndjson', isRecent })).toBe(rows.length > 1 ? 'lines' : 'objects');
      }),
    );
  });

  test('of which there are several, or whose fields are not those of a notice, are content without an input, too', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 2, maxLength: 4 }), (rows) => {
        expect(readingOf({ body: rows })).toBe('array');
        expect(readingOf({ body: rows.map((each) => JSON.stringify(each)).join('\n'), format: 'ndjson' })).toBe(
          'lines',
        );
      }),
    );
    fc.assert(
      fc.property(anyRow, (fields) => {
        expect(readingOf({ body: { ...fields, price: 'building' }, format: 'ndjson' })).toBe('objects');
      }),
    );
  });

  test('of a table are content whatever its columns are called', () => {
    const column = fc.constantFrom('building', 'status', 'not ready', 'url', 'failed', 'state');
    const table = fc.tuple(fc.array(column, { minLength: 2, maxLength: 5 }), fc.array(word, { maxLength: 3 }));
    fc.assert(
      fc.property(table, fc.constantFrom('text/csv', undefined), ([columns, cells], type) => {
        const lines = [columns.join(','), ...cells.map((cell) => columns.map(() => cell).join(','))];
        expect(readingOf({ body: lines.join('\r\n'), format: 'csv', ...(type && { type }) })).toBe('table');
      }),
    );
  });
});

describe('a notice', () => {
  test('is never taken for content, whatever numbers and times the service adds to it', () => {
    const name = fc.constantFrom('progress', 'eta', 'retry_after', 'request_id', 'snapshot_id', 'updated_at', 'code');
    const more = fc.dictionary(name, fc.oneof(fc.integer(), fc.constant(null), fc.boolean()));
    const known = fc.constantFrom({ status: 'building' }, { error: 'Snapshot not ready' }, { state: 'unheard of' });
    fc.assert(
      fc.property(known, more, formats, (object, fields, format) => {
        expect(readingOf({ body: { ...fields, ...object }, format })).toBe('notReady');
      }),
    );
  });
});

function read({ status = 200, type, body, format = 'json', isRecent = false, isWhole = true }: Answer): ResultReading {
  const request: ResultRequest = { format, id: 's_abc', isRecent };
  return readResult({ status, contentType: type, text: textOf(body), isWhole }, request);
}

function readingOf(answer: Answer): Expected {
  const reading = read(answer);
  return reading.kind === 'content' ? reading.form : reading.kind;
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function titleOf({ status = 200, type = '', body, format = 'json', isRecent, isWhole = true }: Answer): string {
  const text = textOf(body).slice(0, 80).replaceAll('%', '%%').replaceAll('\n', '\\n');
  return [status, type, `"${text}"`, `as ${format}`, isRecent ? 'at first' : '', isWhole ? '' : 'and more']
    .filter((part) => part !== '')
    .join(' ');
}
