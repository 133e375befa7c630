/** Words from outside that would steer a terminal or hide text in it are shown as escapes, whoever says them. */
import { describe, expect, it } from 'vitest';
import { printableJson, printableText } from '../../../src/base/values/printable.ts';
import { loopback } from '../../client/loopback.ts';
import { openHarness } from '../harness.ts';

const clears = '\u001b[2J';
const reverses = '\u202e';

describe('on the command line', () => {
  it.each([
    ['an unknown command', [reverses], "unknown command '\\u{202e}'"],
    ['an argument too many', ['plan', clears], 'Expected 0 arguments but got 1: \\u{1b}[2J.'],
    ['the value of an option', ['plan', '--retries', clears], "argument '\\u{1b}[2J' is invalid"],
  ])('%s', async (_what, args, says) => {
    await using harness = await openHarness('plain');
    const { code, stdout, stderr } = await harness.webdata(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/\n\(see webdata[ \w-]* --help\)\n/);
    expect(stderr).not.toContain(args.at(-1));
  });
});

describe('in an answer of the service', () => {
  it('that is an id', async () => {
    const { url } = await loopback(
      { body: { collection_id: `j_${clears}`, start_eta: '2026-03-01T12:00:00Z' } },
      { body: [] },
    );
    await using harness = await openHarness('plain');
    const env = { WEBDATA_API_URL: url };
    const { stderr } = await harness.webdataWith({ env }, 'collect', 'c_prices', '--input', 'url=x');
    expect(stderr).toContain('Triggered j_\\u{1b}[2J. ');
    expect(stderr).not.toContain(clears);
  });

  it('that the log of requests has', async () => {
    const { url } = await loopback({ body: `{"ips":[],"x":"${reverses}"}` });
    await using harness = await openHarness('plain');
    const { stderr } = await harness.webdataWith({ env: { WEBDATA_API_URL: url } }, 'zones', 'ips', 'a', '--log-http');
    expect(stderr).toMatch(/^http: .* < .*\\u\{202e\}/m);
    expect(stderr).not.toContain(reverses);
  });
});

describe('a command of a CI runner', () => {
  const isCommand = /^\s*::|##\w*\[/m;

  it.each([
    '::error::x',
    ' ::stop-commands::x',
    '##[error]x',
    'x ##vso[task.setvariable]y',
    'a\n::error::x',
  ])('in the name of a file, %j', async (name) => {
    await using harness = await openHarness('plain');
    const file = `${name}.yaml`;
    await harness.write(file, 'zoneIpAllocations: { a: {zones: { checkout: { count: 9 } } } }\n');
    await harness.write('wrong.yaml', `include: 1\n${JSON.stringify(name)}: 2\n`);
    const commands = [
      ['fmt', '--check', file],
      ['fmt', file],
      ['validate', '-f', file],
      ['validate', '-f', 'wrong.yaml'],
      ['validate', '-f', `${name}.missing`],
      ['validate', '--all', '*.yaml', '--format', 'json'],
      ['plan', '-f', file, '--output', `${name}.plan`],
      ['plan', '--all', '*.yaml'],
      ['plan', '-f', file, '--format', 'markdown', '--report', `json=${name}/${name}`],
      ['apply', `${name}.plan`],
      ['drift', '-f', file],
      ['show', '-f', file],
      ['audit', '-f', file],
      ['doctor', '-f', file],
      ['history', '-f', file, '--journal', `${name}.journal`],
      ['init', `${name}/new`],
      ['pull', '-f', file, '--zone', name, '--output', `${name}.out`],
      ['plan', '-f', file, '--select', name],
      ['zones', 'ips', name],
      ['triggers', 'export', '-f', file, '--to', 'github', '--output', name],
      ['undo', name],
      [name],
      ['plan', name],
      ['plan', `--${name}`],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await harness.webdata(...args);
      expect(`${stdout}\n${stderr}`, args.join(' ')).not.toMatch(isCommand);
    }
  });

  it('is in CSV within quotation marks', async () => {
    const { url } = await loopback({ body: [{ '::error::a': '::error::b', c: '::1' }] });
    await using harness = await openHarness('plain');
    const env = { WEBDATA_API_URL: url };
    const { stdout } = await harness.webdataWith({ env }, 'collect', '--resume', 'j_1', '--format', 'csv');
    expect(stdout).toBe('"::error::a",c\r\n"::error::b","::1"\r\n');
  });

  it('is an escape, and an address is none', () => {
    expect(printableText('::error file=a::b')).toBe('\\u{3a}:error file=a::b');
    expect(printableText('zone ::add-mask::b')).toBe('zone \\u{3a}:add-mask::b');
    for (const text of ['::1', '::/0 is open', '::ffff:10.0.0.5, ::1', 'a::b', '## Heading', '[::1]:80'])
      expect(printableText(text)).toBe(text);
    expect(JSON.parse(printableJson('"##vso[x]"'))).toBe('##vso[x]');
  });
});

describe('in the name of a zone', () => {
  const account = (zones: Record<string, object>) => ({ id: 'hl_example', zones });
  const ips = { ips: { us: ['192.0.2.10'] } };

  it('a mark that reverses text is an escape in YAML, which reads back the same', async () => {
    const name = `shop${reverses}evil`;
    await using harness = await openHarness(account({ [name]: ips, parked: {} }) as never);
    const { stdout } = await harness.webdata('pull', '--zone', name, '--zone', 'parked');
    expect(stdout).toContain('"shop\\u202eevil":');
    expect(stdout).not.toContain(reverses);
    await harness.write('webdata.yaml', stdout);
    expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stderr: '' });
    harness.emulator.move(['192.0.2.10'], 'parked');
    await harness.write(
      'webdata.yaml',
      `zoneIpAllocations: { a: { zones: { parked: { ips: [] } }, spare: "shop\\u202eevil" } }\n`,
    );
    await harness.webdata('drift', '--accept', '--yes');
    expect(await harness.read('webdata.yaml')).not.toContain(reverses);
  });

  it('what no declaration can have is left out of a pulled file, with a note', async () => {
    await using harness = await openHarness(
      account({ 'a b': ips, checkout: { ips: { us: ['192.0.2.11'] } } }) as never,
    );
    const { code, stdout, stderr } = await harness.webdata('pull', '--zone', 'a b', '--zone', 'checkout');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('note: left out: zones a b: ') });
    await harness.write('webdata.yaml', stdout);
    expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stderr: '' });
  });
});
