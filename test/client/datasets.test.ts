/** Area C: collections are triggered, and snapshots downloaded row by row or saved whole. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { companyProfile } from '../../src/client/areas/jobs/companyProfile.ts';
import type { SnapshotFormat } from '../../src/client/areas/jobs/datasets.ts';
import type { RequestEvent } from '../../src/client/transport/requestLog.ts';
import { temporaryFolder } from '../temporary.ts';
import { loopback, type Reply } from './loopback.ts';
import { apiKey, clientOf, failureOf } from './setup.ts';
import { specFile } from './specFile.ts';
import { collected, serverOfBytes } from './streams.ts';

const places = { apiKey, snapshotId: 's_abc123' };
const triggered = specFile('datasetTrigger', places);
const content = specFile('snapshotDownload', places);
const notReady = specFile('snapshotNotReady', places);
const notFound = specFile('snapshotNotFound', places);
const plain = { datasetId: 'gd_companies', inputs: [{ url: 'https://companies.example.com/one' }] };
const full = {
  ...plain,
  format: 'json' as const,
  endpoint: 'https://hooks.example.com/snapshots',
  uncompressed: true,
  authorization: 'Bearer hook-secret-1',
};

describe('a trigger', () => {
  test('names the webhook as the profile says, and leaves out what was left out', async () => {
    const server = await loopback(triggered.answer);
    const profile = { datasets: { endpointParameter: 'webhook' as const } };
    const { datasets } = clientOf(server.url, { profile });
    await datasets.trigger({ ...plain, format: 'csv', endpoint: 'https://hooks.example.com/s' });
    await datasets.trigger(plain);
    expect(server.requests.map(({ query }) => query)).toEqual([
      { dataset_id: 'gd_companies', format: 'csv', webhook: 'https://hooks.example.com/s' },
      { dataset_id: 'gd_companies', format: 'json' },
    ]);
  });

  test.each<[object, PropertyKey[]]>([
    [{ datasetId: 'companies' }, ['datasetId']],
    [{ inputs: [] }, ['inputs']],
    [{ format: 'xml' }, ['format']],
    [{ endpoint: 'hooks.example.com' }, ['endpoint']],
    [{ endpoint: 'https://hooks.example.com', authorization: 'one\ntwo' }, ['authorization']],
    [{ authorization: 'Bearer hook-secret-1' }, ['authorization']],
    [{ uncompressed: true }, ['uncompressed']],
    [{ uncompressed: 'yes' }, ['uncompressed']],
  ])('with %j is refused before it is sent', async (wrong, path) => {
    const server = await loopback(triggered.answer);
    const sent = clientOf(server.url).datasets.trigger({ ...plain, ...wrong });
    await expect(sent).rejects.toMatchObject({
      name: 'ProblemError',
      problems: [{ path, found: expect.any(String), allowed: expect.any(String) }],
    });
    expect(server.requests).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['another field', { snapshotId: 's_1' }],
    ['a list', [{ snapshot_id: 's_1' }]],
    ['text', 's_1'],
  ])('that is answered with its id in %s is accepted', async (_what, body) => {
    const server = await loopback({ body });
    expect(await clientOf(server.url).datasets.trigger(plain)).toEqual({ snapshotId: 's_1' });
  });

  test('is not repeated after 5xx, which leaves open whether it had its effect', async () => {
    const server = await loopback({ status: 500 }, triggered.answer);
    expect(await failureOf(clientOf(server.url).datasets.trigger(plain))).toMatchObject({ effect: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  test("shows nothing of the webhook's authorization, not even where the service repeats it", async () => {
    const log: RequestEvent[] = [];
    const server = await loopback({ status: 400, body: 'the header hook-secret-1 is not good' });
    const client = clientOf(server.url, { onRequest: (event) => void log.push(event) });
    const seen = JSON.stringify([await failureOf(client.datasets.trigger(full)), log]);
    expect(seen).toContain('the header *** is not good');
    expect(seen).not.toContain('hook-secret-1');
  });
});

describe('a download', () => {
  test('gives the rows of a snapshot', async () => {
    const server = await loopback(content.answer);
    const snapshot = await clientOf(server.url).datasets.download('s_abc123');
    const rows = snapshot.state === 'ready' ? await collected(snapshot.rows) : [];
    expect(rows).toEqual(content.answer.body);
    expect(companyProfile.parse(rows[0])).toEqual(rows[0]);
    expect(server.requests).toEqual([
      {
        ...content.request,
        headers: expect.objectContaining({ ...content.request.headers, 'accept-encoding': 'gzip, br, deflate' }),
      },
    ]);
  });

  test('in a format that the service does not have is refused before it is sent', async () => {
    const server = await loopback(content.answer);
    const format = 'xml' as 'json';
    await expect(clientOf(server.url).datasets.download('s_abc123', { format })).rejects.toMatchObject({
      name: 'ProblemError',
      problems: [{ path: ['format'], found: '`format` is "xml"', allowed: 'json, ndjson, csv' }],
    });
    expect(server.requests).toEqual([]);
  });

  test('gives the rows of ndjson, and the bytes of csv', async () => {
    const ndjson = await loopback({ body: '{"a":1}\n{"error":"none"}\n' });
    const lines = await clientOf(ndjson.url).datasets.download('s_abc123', { format: 'ndjson' });
    expect(lines.state === 'ready' && (await collected(lines.rows))).toEqual([{ a: 1 }, { error: 'none' }]);
    const csv = await loopback({ body: 'state,note\r\nbuilding,"a ""b"""\r\n' });
    const table = await clientOf(csv.url).datasets.download('s_abc123', { format: 'csv' });
    const bytes = table.state === 'ready' ? Buffer.concat(await collected(table.bytes)).toString() : '';
    expect(bytes).toBe('state,note\r\nbuilding,"a ""b"""\r\n');
  });

  const text = 'Snapshot is building. Try again in a few minutes';
  const cases: [string, Reply][] = [
    ['the object', notReady.answer],
    ['the object with 200', { ...notReady.answer, status: 200 }],
    ['the object with 404', { ...notReady.answer, status: 404 }],
    ['a text', { body: text }],
    ['a text with 400', { body: text, status: 400 }],
    ['a JSON text', { body: JSON.stringify(text) }],
    ['202 and nothing', { status: 202 }],
    ['204', { status: 204 }],
  ];
  const formats: SnapshotFormat[] = ['json', 'ndjson', 'csv'];
  test.each(
    cases.flatMap(([what, reply]) => formats.map((format) => [what, format, reply] as const)),
  )('that is answered with %s instead of %s is not ready', async (_what, format, reply) => {
    const server = await loopback(reply);
    expect(await clientOf(server.url).datasets.download('s_abc123', { format })).toEqual({ state: 'not-ready' });
  });

  test.each<[string, Reply]>([
    ['an object with more fields', { body: { error: 'Snapshot not ready', code: 17, request_id: 'r-1', progress: 4 } }],
    ['an object with a state', { body: { status: 'collecting', snapshot_id: 's_abc123' } }],
    ['202 and rows', { ...content.answer, status: 202 }],
    ['409', { status: 409, body: { error: 'Conflict' } }],
    ['425', { status: 425, body: 'Too Early' }],
  ])('that is answered with %s is not ready, and is saved in no format', async (_what, reply) => {
    const server = await loopback(reply);
    const file = join(temporaryFolder(), 'data');
    for (const format of formats) {
      const saved = await clientOf(server.url).datasets.save('s_abc123', file, { format });
      expect(saved).toMatchObject({ state: 'not-ready' });
    }
    expect(await readdir(dirname(file))).toEqual([]);
  });

  test('of a table whose columns have the words of a notice is content', async () => {
    const text = 'building,status,error\r\nNorth,not ready,Snapshot not ready\r\n';
    const server = await loopback({ body: text });
    const table = await clientOf(server.url).datasets.download('s_abc123', { format: 'csv' });
    expect(table.state === 'ready' && Buffer.concat(await collected(table.bytes)).toString()).toBe(text);
  });

  test('of another format than was asked for is kept as it is', async () => {
    const table = await loopback({ body: 'name,founded\nAcme,1999\n', headers: { 'content-type': 'text/csv' } });
    const file = join(temporaryFolder(), 'data');
    await clientOf(table.url).datasets.save('s_abc123', file);
    expect(await readFile(file, 'utf8')).toBe('name,founded\nAcme,1999\n');
    const list = await loopback(content.answer);
    const lines = await clientOf(list.url).datasets.download('s_abc123', { format: 'ndjson' });
    expect(lines.state === 'ready' && (await collected(lines.rows))).toEqual(content.answer.body);
  });

  test.each([200, 400, 404])('of an unknown snapshot that is answered %i is an error', async (status) => {
    const server = await loopback({ ...notFound.answer, status });
    expect(await failureOf(clientOf(server.url).datasets.download('s_nothing'))).toMatchObject({
      code: 'not-found',
      fix: expect.stringMatching(/^Check the id \(`s_…`\) against the snapshot_id in the answer to the trigger\./),
      effect: 'none',
    });
  });

  test('that is answered with something else is an error with its words', async () => {
    const server = await loopback({ body: { error: 'Format not supported' } });
    const failure = await failureOf(clientOf(server.url).datasets.download('s_abc123'));
    expect(failure).toMatchObject({ code: 'unexpected-answer' });
    expect(failure.message).toContain('Format not supported');
    const limited = await loopback({ status: 429, body: 'too many, try again later' });
    expect(await failureOf(clientOf(limited.url).datasets.download('s_abc123'))).toMatchObject({
      code: 'rate-limited',
    });
  });

  test('is decompressed as it comes, and a truncated one is an error', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({ index, text: Math.random().toString(36) }));
    const zipped = gzipSync(JSON.stringify(rows));
    const whole = await clientOf(await serverOfBytes(zipped, 'gzip')).datasets.download('s_abc123');
    expect(whole.state === 'ready' && (await collected(whole.rows))).toEqual(rows);
    const cut = await serverOfBytes(zipped.subarray(0, zipped.length / 2), 'gzip');
    const part = await clientOf(cut).datasets.download('s_abc123');
    if (part.state !== 'ready') throw new Error('not ready');
    const failure = await failureOf(collected(part.rows));
    expect(failure.message).toMatch(/broke off after \d{2,4} rows$/);
    expect(failure).toMatchObject({ code: 'unexpected-answer', fix: 'Download it again.' });
  });
});

describe('a saved snapshot', () => {
  test('is the content, decompressed', async () => {
    const folder = temporaryFolder();
    const text = JSON.stringify(content.answer.body);
    const url = await serverOfBytes(gzipSync(text), 'gzip');
    const file = join(folder, 'rows.json');
    const saved = await clientOf(url).datasets.save('s_abc123', file);
    expect(saved).toEqual({ state: 'saved', bytes: Buffer.byteLength(text) });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(folder)).toEqual(['rows.json']);
  });

  test.each<[string, Reply]>([
    ['breaks off', { ...content.answer, fault: 'truncate' }],
    ['is not ready', notReady.answer],
    ['is unknown', notFound.answer],
  ])('that %s leaves the file as it was, and nothing beside it', async (_what, reply) => {
    const folder = temporaryFolder();
    const file = join(folder, 'rows.json');
    await writeFile(file, 'yesterday');
    const server = await loopback(reply);
    await clientOf(server.url)
      .datasets.save('s_abc123', file)
      .catch(() => undefined);
    expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['rows.json'], 'yesterday']);
  });
});
