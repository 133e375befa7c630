/** What is wrong with deliveries and schedules, told before anything is registered. */
import { describe, expect, it } from 'vitest';
import { canary, cron, nightly, openRegistering, results } from './registrations.ts';

describe('what is wrong', () => {
  const cases: [string, string, RegExp][] = [
    [
      'a delivery that is not declared',
      results + nightly(cron).replace('results\n', 'result\n'),
      /delivery `result` is not declared[\s\S]*did you mean `results`/,
    ],
    ['neither cron nor every', results + nightly(), /neither `cron` nor `every` is declared/],
    [
      'an input that misses the schema',
      results + nightly(cron, 'inputSchema: { url: number }'),
      /row 1 of 1 input: the column `url` is a string/,
    ],
    ['a webhook without encryption', results.replace('https', 'http'), /is not encrypted/],
    ['a delivery that goes nowhere', 'webhookDeliveries: { results: {} }\n', /has no destination and notifies no one/],
    [
      'a dataset whose finish is to be told',
      nightly(cron)
        .replace('collector: c_prices', 'dataset: gd_x')
        .replace('delivery: results', 'delivery: { notify: { type: email } }'),
      /datasets do not support `notify` in a delivery/,
    ],
    [
      'a file outside of the folder',
      results + nightly(cron).replace(/inputs: .*/, 'inputs: { file: ../prices.csv }'),
      /in the folder of the declaration/,
    ],
  ];

  it.each(cases)('%s: is told before anything is called', async (_, declaration, says) => {
    await using registering = await openRegistering();
    await registering.declare(declaration);
    const { code, stderr } = await registering.webdata('validate');
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain(canary);
    expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    expect(await registering.serving.registry.owners()).toEqual([]);
  });

  it('a row of a file is told with its line and column, and nothing is registered', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, write, serving } = registering;
    await write('prices.csv', 'url\nhttps://shop.example.com/a\nnowhere\n');
    const schedule = nightly(cron, 'inputSchema: { url: url }').replace(/inputs: .*/, 'inputs: { file: prices.csv }');
    await declare(results + schedule);
    const { code, stdout } = await webdata('apply', '--yes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('prices.csv:3: the column `url`') });
    expect(await serving.registry.owners()).toEqual([]);
    await declare(results + schedule.replace('prices.csv', 'price.csv'));
    expect((await webdata('plan')).stdout).toContain("price.csv can't be read: the file does not exist");
  });

  const fromFile = (file: string, ...fields: string[]) =>
    nightly(cron, ...fields).replace(/inputs: .*/, `inputs: { file: ${file} }`);
  it.each([
    ['that does not exist', 'nope.csv', '', /webdata\.yaml:\d+:\d+: nope\.csv can't be read: the file does not exist/],
    [
      'with an open quote',
      'open.csv',
      'url\n"https://shop.example.com/a\n',
      /webdata\.yaml:\d+:\d+: open\.csv:\d: .*Quote/i,
    ],
    [
      'with a wrong row',
      'row.csv',
      'url\nnowhere\n',
      /webdata\.yaml:\d+:\d+: row\.csv:2: the column `url` is a string/,
    ],
    ['without rows', 'empty.json', '[]', /webdata\.yaml:\d+:\d+: empty\.json: it contains no inputs/],
  ])('validate reads a file of inputs %s, offline', async (_, file, text, says) => {
    await using registering = await openRegistering();
    const { declare, webdata, write, serving } = registering;
    if (text !== '') await write(file, text);
    await declare(results + fromFile(file, 'inputSchema: { url: url }'));
    await serving.stop();
    const { code, stderr } = await webdata('validate');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
    await write(
      file,
      file.endsWith('.csv') ? 'url\nhttps://shop.example.com/a\n' : '[{ "url": "https://shop.example.com/a" }]',
    );
    expect(await webdata('validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('is valid') });
  });

  it('the trigger service is not known, does not answer, or knows another token', async () => {
    await using registering = await openRegistering();
    const { declare, webdataWith } = registering;
    await declare(results);
    const say = async (env: Record<string, string | undefined>) =>
      (await webdataWith(env, 'plan', '--retries', '0')).stdout;
    expect(await say({ WEBDATA_TRIGGERS_URL: undefined })).toContain('set triggers.store or triggers.url in the file');
    expect(await say({ WEBDATA_TRIGGERS_TOKEN: undefined })).toContain('set WEBDATA_TRIGGERS_TOKEN');
    expect(await say({ WEBDATA_TRIGGERS_URL: 'http://127.0.0.1:9' })).toContain('`webdata triggers serve` runs there');
    const refused = await say({ WEBDATA_TRIGGERS_TOKEN: 'canary-wrong-token' });
    expect(refused).toContain('Set WEBDATA_TRIGGERS_TOKEN to the token that the trigger service was started with');
    expect(refused).not.toContain('canary-wrong-token');
  });
});
