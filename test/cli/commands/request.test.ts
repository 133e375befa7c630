/** `webdata request` on an emulator: data on stdout or in a file, all else on stderr, and nothing half done. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/main.ts';
import type { AccountInput } from '../../../src/emulator/index.ts';
import { serverOf } from '../../client/streams.ts';
import { type Harness, openHarness } from '../harness.ts';

const page = '<!doctype html>\n<title>Example</title>\n';

const account: AccountInput = {
  id: 'hl_example',
  zones: { checkout: { type: 'isp', ips: { us: ['192.0.2.10-192.0.2.12'] } }, shoppers: { type: 'residential' } },
  pages: { 'https://example.com/': { body: page } },
};

const url = 'https://example.com/';
const basic = ['request', url, '--zone', 'checkout'];

const asked = ({ emulator }: Harness) => emulator.requests().map(({ body }) => body);

describe('webdata request', () => {
  it('writes the page to stdout, exactly', async () => {
    await using harness = await openHarness(account);
    expect(await harness.webdata(...basic)).toEqual({ code: 0, stdout: page, stderr: '' });
    expect(asked(harness)).toEqual([{ zone: 'checkout', url, format: 'raw' }]);
  });

  it('writes a JSON answer so that it can be read', async () => {
    await using harness = await openHarness(account);
    const { code, stdout } = await harness.webdata(...basic, '--format', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ url, body: page })]);
  });

  it('sends what its options say, under the names of the service', async () => {
    await using harness = await openHarness(account);
    const shown = await harness.webdata(
      ...['request', url, '--zone', 'shoppers', '--country', 'us', '--city', 'boston', '--zip', '02101'],
      ...['--asn', '64500', '--dns', 'remote', '--session', 'cart-1', '--gip', 'g1', '--tag', 'order 7', '--direct'],
      ...['--data-format', 'markdown'],
    );
    expect(shown).toEqual({ code: 0, stdout: page, stderr: '' });
    expect(asked(harness)).toEqual([
      {
        ...{ zone: 'shoppers', url, format: 'raw', country: 'us', city: 'boston', zip: '02101', ASN: '64500' },
        ...{ dns: 'remote', session: 'cart-1', gip: 'g1', c_tag: 'order 7', direct: true, data_format: 'markdown' },
      },
    ]);
  });

  it('writes to a file and leaves stdout alone', async () => {
    await using harness = await openHarness(account);
    const { write, read, webdata } = harness;
    await write('page.html', 'what was there');
    expect(await webdata(...basic, '--output', 'page.html')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await read('page.html')).toBe(page);
  });

  it('writes what is no text byte for byte, to a file and to stdout', async () => {
    await using harness = await openHarness(account);
    const image = randomBytes(200_000);
    const service = await serverOf(image, { 'content-type': 'image/png' });
    const env = { WEBDATA_API_URL: service, WEBDATA_API_KEY: harness.emulator.keys.user };
    const pieces: (string | Uint8Array)[] = [];
    const stdout = { write: (piece: string | Uint8Array) => void pieces.push(piece) };
    expect(await harness.webdataWith({ env }, ...basic, '--output', 'image.png')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await readFile(join(harness.folder, 'image.png'))).equals(image)).toBe(true);
    const io = { stdout, stderr: { write: () => undefined }, cwd: harness.folder, env };
    expect(await run(basic, { ...io, signal: new AbortController().signal })).toBe(0);
    expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).equals(image)).toBe(true);
  });

  it('leaves no file and no half of one where the answer breaks off', async () => {
    await using harness = await openHarness(account);
    harness.emulator.addFault({ route: 'request', occurrence: 'all', fault: { kind: 'truncated' } });
    const { code, stdout, stderr } = await harness.webdata(...basic, '--output', 'page.html');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^POST .*\/request was answered 200, but the answer broke off after \d+ bytes\n {2}fix: /);
    expect(await readdir(harness.folder)).toEqual([]);
    expect(harness.emulator.requests()).toHaveLength(1);
  });

  it('asks for nothing where the file could not be written', async () => {
    await using harness = await openHarness(account);
    const { write, webdata, emulator } = harness;
    await write('webdata.yaml', '');
    expect(await webdata(...basic, '--output', 'webdata.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        '--output webdata.yaml: the file is the declaration, and would be overwritten\n  fix: name another file\n',
    });
    const { code, stderr } = await webdata(...basic, '--output', 'webdata.yaml/page.html');
    expect([code, stderr]).toEqual([1, expect.stringContaining('a part of its path is not a folder')]);
    expect(emulator.requests()).toEqual([]);
  });

  it('checks the fields by the types of zones that the declaration names', async () => {
    await using harness = await openHarness(account);
    const { write, webdata, emulator, folder } = harness;
    await write('webdata.yaml', 'service: { zones: { checkout: { type: isp } } }\n');
    expect(await webdata(...basic, '--carrier', 'tmobile', '--city', 'boston', '--output', 'page.html')).toEqual({
      code: 1,
      stdout: '',
      stderr: `city: \`city\` without \`country\`
  allowed: \`city\` together with \`country\`
  fix: add \`country\`, the country code
carrier: \`carrier\` for the zone checkout, which is of type isp
  allowed: \`carrier\` in mobile zones only
  fix: remove \`carrier\`, use another zone, or correct the declared type of this one
`,
    });
    expect(await readdir(folder)).toEqual(['webdata.yaml']);
    expect(emulator.requests()).toEqual([]);
  });

  it('says at which line a type of zone is mistyped', async () => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', 'service:\n  zones: { checkout: { type: ips } }\n');
    const { code, stderr } = await harness.webdata('validate');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^webdata\.yaml:2:\d+: .*"ips"/);
    expect(stderr).toContain('did you mean `isp`?');
  });

  it('tells what the service said', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata('request', url, '--zone', 'chekout');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `POST ${harness.emulator.apiUrl}/request was answered 400: Bad request: zone: chekout does not exist
  fix: Compare the zone and the other fields of the request with the message of the service.
`,
    );
  });
});
