/** What is kept, under which name, and what is told about it. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAccount, startEmulator } from '../../src/emulator/index.ts';
import { openFolder } from '../../src/keeping/folder.ts';
import { openSpool } from '../../src/keeping/spool.ts';
import { broken, filesIn, kept, open, post, record, sending } from './helpers.ts';

const rows = JSON.stringify([{ title: 'Größe „M“', input: { url: 'https://shop.example.com/1' } }]);
const sha256 = createHash('sha256').update(rows).digest('hex');
const gzip = { 'content-encoding': 'gzip' };

describe('a delivery', () => {
  it.each([
    ['as it is', rows, {}],
    ['as gzip', gzipSync(rows), gzip],
    ['as gzip that its header does not mention', gzipSync(rows), {}],
    ['as gzip in two members', Buffer.concat([gzipSync(rows.slice(0, 20)), gzipSync(rows.slice(20))]), gzip],
  ])('%s is kept decompressed, under the hash of what is in it', async (_how, body, headers) => {
    await using opened = await open();
    expect(await post(opened.url, body, { headers })).toMatchObject({ status: 200, text: 'Kept.\n' });
    expect(await kept(opened.folder)).toEqual({ [`${sha256}.json`]: rows });
  });

  it.each([
    ['rows', `\uFEFF${rows}`, '.json'],
    ['rows one a line', '\uFEFF{"a":1}\n{"a":2}\n', '.ndjson'],
    ['a notification', '\uFEFF{"snapshot_id":"s_1"}', '.notification.json'],
  ])('of %s with a byte order mark keeps the mark, and its ending', async (_what, body, ending) => {
    await using opened = await open();
    const { outgoing, answer } = sending(opened.url);
    outgoing.flushHeaders();
    const bytes = Buffer.from(body);
    for (const piece of [bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)]) {
      outgoing.write(piece);
      await new Promise((done) => setTimeout(done, 20));
    }
    outgoing.end();
    expect((await answer).status).toBe(200);
    const files = await kept(opened.folder);
    expect(Object.keys(files)).toEqual([expect.stringMatching(new RegExp(`[0-9a-f]{64}\\${ending}$`))]);
    expect(Object.values(files)).toEqual([body]);
  });

  it('goes to the folders of its path, with the run that its query names', async () => {
    await using opened = await open();
    await post(opened.url, rows, { path: '/acme/results?run=j_abc' });
    expect(Object.keys(await kept(opened.folder))).toEqual([`acme/results/j_abc.${sha256}.json`]);
  });

  it('is recorded, and logged, without its query', async () => {
    await using opened = await open();
    await post(opened.url, rows, { path: '/acme/results?run=j_abc&token=canary-1' });
    const entry = {
      file: `acme/results/j_abc.${sha256}.json`,
      bytes: Buffer.byteLength(rows),
      sha256,
      kind: 'rows',
      run: 'j_abc',
      again: false,
      source: '127.0.0.1',
      path: '/acme/results',
    };
    expect(await record(opened.folder)).toEqual([{ time: expect.any(String), ...entry }]);
    expect(opened.log()).toMatchObject([{ level: 'info', msg: 'kept', ...entry }]);
    expect(opened.rawLog()).not.toContain('canary');
  });

  it('that comes again is kept once, compressed or not, and said to be there', async () => {
    await using opened = await open();
    await post(opened.url, rows);
    expect(await post(opened.url, gzipSync(rows), { headers: gzip })).toMatchObject({
      status: 200,
      text: 'Kept before.\n',
    });
    expect(await kept(opened.folder)).toEqual({ [`${sha256}.json`]: rows });
    expect((await record(opened.folder)).map(({ again }) => again)).toEqual([false, true]);
    expect(opened.log().map(({ again }) => again)).toEqual([false, true]);
  });

  it('that comes twice at once is kept once', async () => {
    await using opened = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(opened.url, rows)));
    expect(answers.map(({ text }) => text).toSorted()).toEqual(
      ['Kept.\n', ...Array(7).fill('Kept before.\n')].toSorted(),
    );
    expect(await kept(opened.folder)).toEqual({ [`${sha256}.json`]: rows });
  });

  it('that differs is another file, also when both come at once', async () => {
    await using opened = await open();
    const bodies = ['[1]', '[2]'];
    const both = bodies.map(() => sending(opened.url));
    for (const [index, { outgoing }] of both.entries()) outgoing.write(bodies[index]?.slice(0, 1));
    for (const [index, { outgoing }] of both.entries()) outgoing.end(bodies[index]?.slice(1));
    expect((await Promise.all(both.map(({ answer }) => answer))).map(({ status }) => status)).toEqual([200, 200]);
    expect(Object.values(await kept(opened.folder)).toSorted()).toEqual(bodies);
  });

  it('that comes slowly, but comes, is kept', async () => {
    await using opened = await open({ limits: { idleMs: 1000 } });
    const { outgoing, answer } = sending(opened.url, { headers: gzip });
    for (const byte of gzipSync('[{"a":1}]'))
      await new Promise<void>((sent) => outgoing.write(Buffer.of(byte), () => sent()));
    outgoing.end();
    expect((await answer).status).toBe(200);
    expect(Object.values(await kept(opened.folder))).toEqual(['[{"a":1}]']);
  });

  it('that is answered late is warned about', async () => {
    await using opened = await open({ limits: { warnMs: 0 } });
    await post(opened.url, rows);
    await expect
      .poll(() => opened.log())
      .toContainEqual(expect.objectContaining({ level: 'warn', msg: 'slow', seconds: expect.any(Number) }));
  });
});

describe('by its form', () => {
  it.each([
    ['one object', '{"collection_id":"j_1","status":"ready"}', 'application/json', /^j_1\.\w{64}\.notification\.json$/],
    ['an object whose id is empty', '{"collection_id":"","id":"s_1"}', 'application/json', /^s_1\.\w{64}\.\w+\.json$/],
    ['an object without an id', '{"status":"ready"}', 'application/json', /^\w{64}\.notification\.json$/],
    ['an object a line', '{"a":1}\n{"a":2}\n', 'application/json', /^\w{64}\.ndjson$/],
    ['one object that is said to be a line', '{"a":1}', 'application/x-ndjson', /^\w{64}\.ndjson$/],
    ['one large object', `{"a":"${'x'.repeat(100_000)}"}`, 'application/json', /^\w{64}\.ndjson$/],
    ['an array with space around it', '\n  [1]  \n', 'application/json', /^\w{64}\.json$/],
    ['what is said to be CSV', 'a,b\n1,2\n', 'text/csv; charset=utf-8', /^\w{64}\.csv$/],
    ['anything else', 'a,b\n1,2\n', 'text/plain', /^\w{64}\.data$/],
    ['CSV that begins with a bracket', '[a],{b}\n"[1",2\n', 'text/csv; header=present', /^\w{64}\.csv$/],
    ['JSON of a type of its own', '[1]', 'application/vnd.example+json', /^\w{64}\.json$/],
    ['JSON without a type', '[1]', undefined, /^\w{64}\.json$/],
    ['only space', ' \n ', 'application/octet-stream', /^\w{64}\.data$/],
    [
      'an array that is said to be gzip, and that a proxy has unpacked',
      '[1]',
      'application/json',
      /^\w{64}\.json$/,
      'gzip',
    ],
    [
      'an array that is said to be in an unknown encoding, and is not',
      '[1]',
      'application/json',
      /^\w{64}\.json$/,
      'br',
    ],
  ])('%s has a name that says so', async (_what, body, type, name, encoding: string | undefined = undefined) => {
    await using opened = await open();
    const headers = {
      ...(type !== undefined && { 'content-type': type }),
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    };
    expect(await post(opened.url, body, { headers })).toMatchObject({ status: 200, text: 'Kept.\n' });
    const [[file, text] = []] = Object.entries(await kept(opened.folder));
    expect(file).toMatch(name);
    expect(text).toBe(body);
  });
});

describe('in doubt', () => {
  it.each<[string, string | Buffer, Record<string, string>, string, string]>([
    ['CSV that is said to be JSON', 'a,b\n', { 'content-type': 'application/json' }, 'not-json', '.data'],
    ['nothing that is said to be JSON', '\n', { 'content-type': 'application/json' }, 'not-json', '.data'],
    ['gzip that is cut off', gzipSync(rows).subarray(0, -4), gzip, 'not-gzip', '.data'],
    ['gzip with a wrong checksum', broken(gzipSync(rows)), gzip, 'not-gzip', '.data'],
    ['gzip with something behind it', Buffer.concat([gzipSync(rows), Buffer.from('junk')]), gzip, 'not-gzip', '.data'],
    ['bytes that begin like gzip', Buffer.of(0x1f, 0x8b, 1), {}, 'not-gzip', '.data'],
    ['bytes in another encoding', brotliCompressSync(rows), { 'content-encoding': 'br' }, 'unknown-encoding', '.data'],
    ['text in another encoding', 'a,b\n', { 'content-encoding': 'zstd' }, 'unknown-encoding', '.data'],
  ])('%s is kept as it was sent, and marked', async (_what, body, headers, doubt, extension) => {
    await using opened = await open();
    const answer = await post(opened.url, body, { headers });
    expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/^Kept, but doubtful: [^\n]+\n$/) });
    const file = `${createHash('sha256').update(body).digest('hex')}${extension}.doubtful`;
    expect(await filesIn(opened.folder)).toEqual([file, 'received.jsonl']);
    expect(await readFile(join(opened.folder, file))).toEqual(Buffer.from(body));
    expect(await record(opened.folder)).toMatchObject([{ file, doubt, again: false }]);
    expect(opened.log()).toMatchObject([{ level: 'warn', msg: 'kept', doubt }]);
    expect((await post(opened.url, body, { headers })).text).toMatch(/^Kept before, but doubtful/);
  });

  it('is gzip whose damage shows late, and it is kept whole', async () => {
    await using opened = await open();
    const body = broken(gzipSync(randomBytes(3_000_000)));
    expect((await post(opened.url, body, { headers: gzip })).status).toBe(200);
    const [file = ''] = await filesIn(opened.folder);
    expect((await readFile(join(opened.folder, file))).equals(body)).toBe(true);
  });
});

describe('a receiver', () => {
  it.each(['GET', 'HEAD'])('answers %s that it is well, ready, and how much it received', async (method) => {
    await using opened = await open({ authorizations: ['Bearer x'], onlyServiceAddresses: true });
    const body = (text: string) => (method === 'HEAD' ? '' : text);
    const ask = (path: string) => post(opened.url, '', { method, path });
    expect(await ask('/healthz')).toMatchObject({ status: 200, text: body('ok\n') });
    const { headers } = await fetch(new URL('healthz', opened.url));
    expect(headers.get('keep-alive')).toBe('timeout=75');
    expect(await ask('/readyz?verbose')).toMatchObject({ status: 200, text: body('ready\n') });
    expect(await ask('/metrics')).toMatchObject({ status: 200, text: expect.stringContaining(body('store_up')) });
    expect(await filesIn(opened.folder)).toEqual([]);
    expect(opened.log()).toEqual([]);
  });

  it('counts what it received', async () => {
    await using opened = await open();
    for (const body of [rows, rows, '']) await post(opened.url, body);
    await post(opened.url, '?', { headers: { 'content-type': 'application/json' } });
    await post(opened.url, '', { method: 'PUT' });
    const { text } = await post(opened.url, '', { method: 'GET', path: '/metrics' });
    for (const result of ['kept', 'again', 'doubtful', 'tested', 'not-a-delivery'])
      expect(text).toContain(`webdata_receiver_deliveries_total{result="${result}"} 1\n`);
    expect(text).toContain('webdata_receiver_deliveries_total{result="no-room"} 0\n');
    expect(text).toContain(`webdata_receiver_bytes_total ${Buffer.byteLength(rows) + 1}\n`);
    expect(text).toContain(`webdata_receiver_store_up{store="folder ${opened.folder}",cause=""} 1\n`);
  });

  it('is not ready while its folder is gone, names it, and takes deliveries again as soon as there is a new one', async () => {
    await using opened = await open();
    const ask = (path: string) => post(opened.url, '', { method: 'GET', path });
    await post(opened.url, rows);
    await rm(opened.folder, { recursive: true });
    const cause = `folder ${opened.folder} cannot be written: the folder no longer exists`;
    expect(await post(opened.url, rows)).toMatchObject({ status: 500, text: `Not kept: ${cause}.\n` });
    expect(opened.log().at(-1)).toMatchObject({ level: 'error', msg: 'refused', reason: 'not-kept', message: cause });
    expect(await ask('/readyz')).toMatchObject({ status: 503, text: `${cause}\n` });
    expect((await ask('/metrics')).text).toContain(`cause="${cause}"} 0\n`);
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    await mkdir(opened.folder);
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    await rm(join(opened.folder, '.receiving'), { recursive: true });
    for (const each of await Promise.all([1, 2, 3].map(() => openSpool(join(opened.folder, '.receiving')))))
      await each.discard();
    // The new folder has another record.
    expect(await post(opened.url, rows)).toMatchObject({ status: 200, text: 'Kept.\n' });
    expect(await kept(opened.folder)).toEqual({ [`${sha256}.json`]: rows });
  });

  it('does not create a folder again that is moved away during a delivery, and takes the next one once it is back', async () => {
    await using opened = await open();
    const [path, away] = ['/acme/nightly', `${opened.folder}-away`];
    const { outgoing, answer } = sending(opened.url, { path });
    outgoing.write(rows.slice(0, 5));
    await expect.poll(() => filesIn(opened.folder)).toHaveLength(1);
    await rename(opened.folder, away);
    outgoing.end(rows.slice(5));
    const text = `Not kept: folder ${opened.folder} cannot be written: the folder no longer exists.\n`;
    expect(await answer).toMatchObject({ status: 500, text });
    await expect(stat(opened.folder)).rejects.toThrow('ENOENT');
    await rename(away, opened.folder);
    expect(await post(opened.url, rows, { path })).toMatchObject({ status: 200, text: 'Kept.\n' });
  });

  it('knows a delivery that was moved away by its record, of a run for a day and otherwise for ten minutes', async () => {
    await using opened = await open();
    const deliver = async (path: string) => (await post(opened.url, rows, { path })).text;
    const moveAll = async () => {
      for (const name of Object.keys(await kept(opened.folder))) await rm(join(opened.folder, name));
    };
    const age = async (minutes: number) => {
      const lines = (await record(opened.folder)).map((line) => ({
        ...line,
        time: new Date(Date.now() - minutes * 60_000).toISOString(),
      }));
      const file = join(opened.folder, 'received.jsonl');
      await rm(file);
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    };
    for (const path of ['/', '/?run=j_1']) expect(await deliver(path)).toBe('Kept.\n');
    await moveAll();
    for (const path of ['/', '/?run=j_1']) expect(await deliver(path)).toBe('Kept before.\n');
    expect(await kept(opened.folder)).toEqual({});
    await age(11);
    expect(await deliver('/')).toBe('Kept.\n');
    expect(await deliver('/?run=j_1')).toBe('Kept before.\n');
    await age(25 * 60);
    expect(await deliver('/?run=j_1')).toBe('Kept.\n');
    await moveAll();
    // Another process has only the record.
    await using another = await open({ destination: await openFolder(opened.folder) });
    expect((await post(another.url, rows, { path: '/?run=j_1' })).text).toBe('Kept before.\n');
  });

  it('writes the name again where only half of a file bears it', async () => {
    await using opened = await open();
    await writeFile(join(opened.folder, `${sha256}.json`), rows.slice(0, 5));
    expect((await post(opened.url, rows)).text).toBe('Kept.\n');
    expect(await kept(opened.folder)).toEqual({ [`${sha256}.json`]: rows });
  });

  it('leaves at its start what another one still writes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-received-'));
    await openFolder(folder);
    const otherHost = `.receiving/elsewhere.7.${crypto.randomUUID()}`;
    await writeFile(join(folder, otherHost), '[');
    await openFolder(folder);
    expect(await kept(folder)).toEqual({ [otherHost]: '[' });
    await rm(folder, { recursive: true });
  });

  it('takes what the emulator delivers, with its authorization and its retries', async () => {
    await using opened = await open({ authorizations: ['Bearer hook canary'] });
    const account = await readAccount('examples/accounts/plain.yaml');
    const emulator = await startEmulator({ ...account, datasets: { gd_many: { rows: 3 } } });
    const query = new URLSearchParams({
      dataset_id: 'gd_many',
      endpoint: `${opened.url}acme/results?token=canary`,
      webhook_header_Authorization: 'Bearer hook canary',
    });
    await fetch(`${emulator.apiUrl}/datasets/v3/trigger?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${emulator.keys.user}`, 'content-type': 'application/json' },
      body: '[{"url":"https://shop.example.com/1"}]',
    });
    await expect.poll(() => emulator.deliveries()).toMatchObject([{ state: 'delivered', attempts: [200] }]);
    await emulator.close();
    const [[file, text] = ['', '']] = Object.entries(await kept(opened.folder));
    expect(file).toMatch(/^acme\/results\/\w{64}\.json$/);
    expect(JSON.parse(text)).toHaveLength(3);
    expect(opened.rawLog()).not.toContain('canary');
  });
});
