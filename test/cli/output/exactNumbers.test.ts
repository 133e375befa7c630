/** Numbers keep their digits from the input to the trigger and from the row to the output, or an error names where they would not. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
import { describe, expect, it } from 'vitest';
import { loopback } from '../../client/loopback.ts';
import { token } from '../../triggers/serving.ts';
import { openHarness } from '../harness.ts';
import { nightly, openRegistering, results } from '../registrations/registrations.ts';

const lossy = [
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '1e999',
  '0.12345678901234567890',
  '1e-400',
];

describe('numbers in inputs', () => {
  it.each(lossy)('webdata collect --inputs refuses %s before it triggers', async (number) => {
    await using harness = await openHarness({ id: 'hl_example', collectors: { c_prices: { rows: [] } } });
    await harness.write('list.json', `[\n  {"url": "a"},\n  {"url": "b \\" 1", "id": ${number}}\n]`);
    await harness.write('lines.ndjson', `{"url":"a"}\n{"id":[{"deep":${number}}]}\n`);
    for (const [file, line] of [
      ['list.json', 3],
      ['lines.ndjson', 2],
    ] as const) {
      const { code, stderr } = await harness.webdata('collect', 'c_prices', '--inputs', file);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}:${line}: the number ${number} cannot be`)]);
    }
    expect(harness.emulator.requests()).toEqual([]);
  });

  it('webdata collect sends numbers that keep their digits, and any digits in quotes', async () => {
    const service = await loopback({ body: { collection_id: 'j_1', start_eta: '2026-01-01T00:00:00Z' } });
    await using harness = await openHarness('plain');
    const input =
      '{"url":"https://a.example/","a":9007199254740991,"b":1.50,"c":-0.1,"d":1e3,"e":"12345678901234567890, 1e999","f":1E-7}';
    await harness.write('list.json', input);
    const { code, stderr } = await harness.webdata(
      'collect',
      'c_prices',
      '--inputs',
      'list.json',
      '--no-wait',
      '--api-url',
      service.url,
    );
    expect([code, stderr]).toEqual([0, '']);
    const [trigger] = service.requests;
    expect(JSON.stringify(trigger?.body)).toContain(
      '"a":9007199254740991,"b":1.5,"c":-0.1,"d":1000,"e":"12345678901234567890, 1e999","f":1e-7}',
    );
  });

  it.each([
    ...lossy,
    '.inf',
    '.nan',
    '0x20000000000001',
  ])('a plan refuses %s in a declaration, and shows where it is', async (number) => {
    await using registering = await openRegistering();
    const schedule = nightly('every: 1h').replace(/inputs: .*/, `inputs: [{ url: a, id: ${number} }]`);
    await registering.declare(results + schedule);
    const { code, stderr, stdout } = await registering.webdata('plan');
    expect(code).toBe(1);
    expect(stderr + stdout).toMatch(/webdata\.yaml:\d+:\d+/);
    expect(stderr + stdout).toContain('cannot be kept exactly');
  });

  it.each([
    ['01234', '1234', 'write "01234" for the text, or 1234'],
    ['1e5', '100000', 'write "1e5" for the text, or 100000'],
    ['+1', '1', 'write "+1" for the text, or 1'],
    ['0x1F', '31', 'write "0x1F" for the text, or 31'],
    ['0o17', '15', 'write "0o17" for the text, or 15'],
    ['1.50', '1.5', 'write "1.50" for the text, or 1.5'],
    ['-0', '0', 'write "-0" for the text'],
    ['.5', '0.5', 'write ".5" for the text, or 0.5'],
    ['1.', '1', 'write "1." for the text, or 1'],
    ['TRUE', 'true', 'write "TRUE" for the text, or true'],
    ['Null', 'null', 'write "Null" for the text, or null'],
  ])('a plan refuses %s, which would be sent as %s', async (written, sent, fix) => {
    await using registering = await openRegistering();
    const inputs = [`[{ deep: { zip: ${written} } }]`, `[&a { zip: [${written}] }, { <<: *a, url: b }]`];
    for (const input of [...inputs, '\n      - zip: ${ZIP}', '\n      - url: ${SAME}\n        zip: ${ZIP}']) {
      await registering.declare(
        results + nightly('every: 1h').replace(/inputs: .*/, `inputs: ${input.replaceAll('$', '$$$$')}`),
      );
      const { code, stderr } = await registering.webdataWith({ ZIP: written, SAME: written }, 'validate');
      // Variables become numbers and booleans, and never null.
      const isText = written === 'Null' && input.includes('ZIP');
      expect([input, code]).toEqual([input, isText ? 0 : 1]);
      if (isText || input.includes('ZIP')) continue;
      expect(stderr).toMatch(/^webdata\.yaml:\d+:\d+: /);
      expect(stderr).toContain(`${written} would be sent as ${sent}`);
      expect(stderr).toContain(fix);
    }
  });

  it('a plan takes what comes back as it is written, and typed fields in any spelling', async () => {
    await using registering = await openRegistering();
    const taken =
      '"01234", "1e5", 0, -1, 1.5, 100000, true, null, ~, 2024-01-01, 1_000, 12:30:00, NO, 9007199254740991';
    await registering.declare(
      `prices: { currency: USD, move: 0.10 }\n${results}${nightly('every: 1h').replace(/inputs: .*/, `inputs: [{ a: [${taken}] }]`)}`,
    );
    expect(await registering.webdata('validate')).toMatchObject({ code: 0, stderr: '' });
    expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const { schedules } = await registering.serving.registry.records('acme');
    expect(JSON.stringify(schedules[0]?.spec.inputs)).toBe(
      '[{"a":["01234","1e5",0,-1,1.5,100000,true,null,null,"2024-01-01","1_000","12:30:00","NO",9007199254740991]}]',
    );
  });

  it.each([
    ['ids.csv', 'url,id\nhttps://a.example/,7\nhttps://b.example/,12345678901234567890\n', 'ids.csv:3, column id'],
    ['ids.csv', 'url,id\nhttps://a.example/,1e999\n', 'ids.csv:2, column id'],
    ['ids.csv', 'url,id\nhttps://a.example/,01234\n', 'ids.csv:2, column id'],
    ['ids.csv', 'url,id\nhttps://a.example/,0x1f\n', 'ids.csv:2, column id'],
    ['ids.json', '[{"url":"https://a.example/"},\n{"url":"https://a.example/","id":9007199254740993}]', 'ids.json:2'],
    ['ids.ndjson', '{"url":"https://a.example/","id":1}\n{"url":"https://a.example/","id":1e999}\n', 'ids.ndjson:2'],
  ])('a plan refuses %s with %j', async (file, text, place) => {
    await using registering = await openRegistering();
    await registering.write(file, text);
    const schedule = nightly('every: 1h', 'inputSchema: { url: url, id: { type: number, required: false } }');
    await registering.declare(results + schedule.replace(/inputs: .*/, `inputs: { file: ${file} }`));
    const { code, stdout, stderr } = await registering.webdata('plan');
    expect(code).toBe(1);
    expect(stderr + stdout).toContain(`${place}: the number`);
    expect(stderr + stdout).toContain('cannot be kept exactly');
  });

  it('the trigger service refuses to register a lossy number', async () => {
    await using registering = await openRegistering();
    for (const id of lossy) {
      const answer = await fetch(`${registering.serving.url}/v1/owners/acme/schedules/s`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: `{"collector":"c_a","every":"1h","inputs":[{"id":${id}}]}`,
      });
      expect([answer.status, await answer.json()]).toMatchObject([422, { error: [{ code: 'inexact-number' }] }]);
    }
    expect((await registering.serving.registry.records('acme')).schedules).toEqual([]);
  });
});

describe('numbers in rows', () => {
  const row = '{"id":12345678901234567890,"price":0.1234567890123456789,"deep":[{"n":-9007199254740993}],"e":1e999}';

  const formats = [
    ['json', row],
    ['ndjson', row],
    ['csv', '12345678901234567890,0.1234567890123456789,"[{""n"":-9007199254740993}]",1e999'],
  ] as const;

  it.each(formats)('webdata collect writes every digit as %s', async (format, text) => {
    const service = await loopback({ body: `[${row}]` });
    await using harness = await openHarness('plain');
    const url = ['--api-url', service.url, '--format', format];
    const { code, stdout } = await harness.webdata('collect', '--resume', 'j_1', ...url);
    expect(code).toBe(0);
    expect(stdout).toContain(text);
  });

  it.each(formats.slice(0, 2))('webdata snapshot writes every digit as %s', async (format, text) => {
    const service = await loopback({ body: format === 'json' ? `[${row}]` : `${row}\n` });
    await using harness = await openHarness('plain');
    for (const wait of [[], ['--wait']]) {
      const { stdout } = await harness.webdata(
        'snapshot',
        's_1',
        '--api-url',
        service.url,
        '--format',
        format,
        ...wait,
      );
      expect(stdout).toContain(text);
    }
  });
});
