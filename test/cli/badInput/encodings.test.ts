// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** Text that is not UTF-8: every source of text names the file, the line and the encoding, and nothing is changed or sent. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../../src/base/values/utf8.ts';
import { owner } from '../../triggers/serving.ts';
import { type Harness, openDeclared, openHarness, serviceYaml, writesOf } from '../harness.ts';
import { cron, nightly, openRegistering, results } from '../registrations/registrations.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('a declaration', () => {
  it.each([
    ['Latin-1', latin('name: acme\n# B\xfcro\n'), 'webdata.yaml:2:1: line 2 is not text in UTF-8'],
    [
      'UTF-16 with a mark',
      Buffer.from('\uFEFFname: acme\n', 'utf16le'),
      'webdata.yaml:1:1: line 1 is not text in UTF-8',
    ],
    [
      'UTF-16 without one',
      Buffer.from('name: acme\n', 'utf16le'),
      'webdata.yaml:1:2: a control character, U+0000, as in UTF-16',
    ],
  ])('in %s is refused by every command, and stays as it is', async (_, bytes, found) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', bytes);
    for (const args of [
      ['validate'],
      ['plan'],
      ['apply', '--yes'],
      ['fmt'],
      ['fmt', '--check'],
      ['drift', '--accept', '--yes'],
    ]) {
      const { code, stderr } = await harness.webdata(...args);
      expect({ args, code, stderr }).toMatchObject({ args, code: 1, stderr: expect.stringContaining(found) });
      expect(stderr).toMatch(/allowed: text in UTF-8\n.* fix: save it as UTF-8\n/);
    }
    expect(await readFile(join(harness.folder, 'webdata.yaml'))).toEqual(bytes);
    expect(harness.emulator.requests()).toEqual([]);
  });

  it('is refused in an overlay, an included file, a list and standard input too', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain'));
    await harness.write('bad.yaml', latin('# B\xfcro\n'));
    await harness.write('including.yaml', 'include: bad.yaml\n');
    await harness.write('bad.txt', latin('192.0.2.10 # B\xfcro\n'));
    await harness.write('listing.yaml', 'zoneIpAllocations: { a: { zones: { z: { ips: [{ file: bad.txt }] } } } }\n');
    const errorOf = async (...args: string[]) => (await harness.webdata('validate', ...args)).stderr;
    expect(await errorOf('-f', 'webdata.yaml', '-f', 'bad.yaml')).toContain(
      'bad.yaml:1:1: line 1 is not text in UTF-8',
    );
    expect(await errorOf('-f', 'including.yaml')).toContain('bad.yaml:1:1: line 1 is not text in UTF-8');
    expect(await errorOf('-f', 'listing.yaml')).toContain('bad.txt:1:1: line 1 is not text in UTF-8');
    const stdin = Readable.from([latin('# B\xfcro\n')]);
    expect((await harness.webdataWith({ stdin }, 'plan', '-f', '-')).stderr).toContain(
      'stdin:1:1: line 1 is not text in UTF-8',
    );
  });

  it('may begin with a byte order mark of UTF-8', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', '\uFEFFname: acme\n');
    expect(await harness.webdata('validate')).toMatchObject({ code: 0 });
  });
});

describe('inputs', () => {
  it.each(['rows.csv', 'rows.json', 'rows.ndjson'])('of a schedule in %s are not registered', async (file) => {
    await using registering = await openRegistering();
    const { declare, webdata, write, serving } = registering;
    await write(
      file,
      latin(file.endsWith('csv') ? 'url\nhttps://e.example/B\xfcro\n' : '[{"url":"B\xfcro"}]\n') as never,
    );
    await declare(results + nightly(cron, `inputs: { file: ${file} }`).replace(/\n\s*inputs: \[.*/, ''));
    const { code, stdout } = await webdata('apply', '--yes');
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(`${file}:`) });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('is not text in UTF-8');
    expect((await serving.registry.records(owner)).schedules).toEqual([]);
  });

  it('of a job trigger nothing', async () => {
    const [bytes, found] = [latin('{"url":"B\xfcro"}\n'), 'line 1 is not text in UTF-8'];
    await using harness = await openHarness({ id: 'hl_example', collectors: { c_prices: { row: { title: 'a' } } } });
    await harness.write('rows.ndjson', bytes);
    const byFile = await harness.webdata('collect', 'c_prices', '--inputs', 'rows.ndjson');
    expect(byFile).toMatchObject({ code: 1, stderr: expect.stringContaining(found) });
    const stdin = Readable.from([bytes]);
    const byStdin = await harness.webdataWith({ stdin }, 'collect', 'c_prices', '--inputs', '-');
    expect(byStdin).toMatchObject({ code: 1, stderr: expect.stringContaining(`stdin:1:`) });
    const deliver = await harness.webdata('collect', 'c_prices', '--input', 'url=a', '--deliver', 'rows.ndjson');
    expect(deliver).toMatchObject({ code: 1, stderr: expect.stringContaining(found) });
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });
});

const zones = 'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';

describe('what the tool keeps', () => {
  async function damage({ folder, write }: Harness, file: string, from: string): Promise<void> {
    const bytes = await readFile(join(folder, file));
    const at = bytes.indexOf(from);
    expect(at).toBeGreaterThan(0);
    bytes[at] = 0xfc;
    await write(file, bytes);
  }

  it('is refused as a plan file and as a baseline, and a line of the journal counts as damaged', async () => {
    await using harness = await openDeclared('plain', zones);
    await harness.webdata('plan', '--output', 'plan.json');
    await damage(harness, 'plan.json', 'checkout');
    const byPlan = await harness.webdata('apply', 'plan.json', '--yes');
    expect(byPlan).toMatchObject({ code: 1, stderr: expect.stringMatching(/^plan\.json:\d+:1: line \d+ is not text/) });
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    await harness.webdata('apply', '--yes');
    await damage(harness, '.webdata/journal.jsonl', 'checkout');
    expect((await harness.webdata('history')).stderr + (await harness.webdata('history')).stdout).toContain('damage');
    await damage(harness, '.webdata/baseline.json', 'checkout');
    expect(await harness.webdata('drift')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not text in UTF-8'),
    });
  });
});

it('an answer that is not UTF-8 is an error, and never a name with a replaced letter', async () => {
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(latin('{"ips":[{"ip":"192.0.2.1","zone":"B\xfcro"}]}'));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  await using harness = await openHarness('plain');
  const { port } = server.address() as { port: number };
  const { code, stderr } = await harness.webdata('zones', 'ips', 'checkout', '--api-url', `http://127.0.0.1:${port}`);
  server.close();
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('text that is not UTF-8') });
});

it('the line of a fault is that of its first byte, also behind letters of several bytes', () => {
  const text = fc.string({ unit: 'grapheme' });
  const broken = fc.constantFrom([0xfc], [0xc3], [0xe2, 0x82], [0xff], [0xed, 0xa0, 0x80]);
  fc.assert(
    fc.property(text, broken, text, (before, bytes, after) => {
      const whole = Buffer.concat([
        Buffer.from(before),
        Buffer.from(bytes),
        Buffer.from(`\n${after}`),
        Buffer.of(0xff),
      ]);
      expect(decodeUtf8(whole)).toEqual({ wrongLine: before.split('\n').length });
      expect(decodeUtf8(Buffer.from(before))).toEqual({ text: before });
    }),
  );
});
