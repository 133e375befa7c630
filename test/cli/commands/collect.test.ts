/** `webdata collect` on an emulator: one trigger, whatever happens, and rows as data. */
import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInputs } from '../../../src/cli/commands/service/collectInputs.ts';
import type { AccountInput } from '../../../src/emulator/index.ts';
import { type Harness, openHarness } from '../harness.ts';

const account: AccountInput = {
  id: 'hl_example',
  collectors: {
    c_prices: { row: { title: 'Item {n}', price: 12.5 } },
    c_slow: { seconds: 3600, row: { title: 'Item {n}' } },
    c_none: { rows: [] },
  },
};

const input = ['--input', 'url=https://shop.example.com/1?a=b'];
const prices = ['collect', 'c_prices', ...input];

const triggersOf = ({ emulator }: Harness) =>
  emulator.requests().flatMap(({ route, body }) => (route === 'dca/trigger' ? [body] : []));

describe('webdata collect', () => {
  it('writes the rows as a list, and says which run it is', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata(...prices);
    const id = harness.emulator.runs()[0]?.id;
    expect([code, stderr]).toEqual([0, `Triggered ${id}. To resume: webdata collect --resume ${id}\n`]);
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ title: 'Item 1', price: 12.5 })]);
    expect(triggersOf(harness)).toEqual([[{ url: 'https://shop.example.com/1?a=b' }]]);
  });

  it('takes inputs from a file, and writes a row a line into another', async () => {
    await using harness = await openHarness(account);
    await harness.write('shops.ndjson', '{"url":"https://a.example/"}\n\n{"url":"https://b.example/"}\n');
    const args = ['--inputs', 'shops.ndjson', '--format', 'ndjson', '--output', 'rows.ndjson'];
    expect(await harness.webdata('collect', 'c_prices', ...args)).toMatchObject({ code: 0, stdout: '' });
    const rows = (await harness.read('rows.ndjson')).trim().split('\n');
    expect(rows.map((row) => JSON.parse(row).title)).toEqual(['Item 1', 'Item 2']);
    expect(triggersOf(harness)).toEqual([[{ url: 'https://a.example/' }, { url: 'https://b.example/' }]]);
  });

  it('writes an empty list, and says why', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata('collect', 'c_none', ...input);
    expect([code, stdout, stderr]).toEqual([0, '[]\n', expect.stringMatching(/ ended without rows\.\n$/)]);
  });

  it('writes the id with --no-wait, and takes the run up with --resume', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata(...prices, '--no-wait');
    const id = harness.emulator.runs()[0]?.id ?? '';
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${id}\n`, stderr: '' });
    const resumed = await harness.webdata('collect', '--resume', id);
    expect([resumed.code, resumed.stderr, JSON.parse(resumed.stdout)]).toMatchObject([0, '', [{ title: 'Item 1' }]]);
    expect(triggersOf(harness)).toHaveLength(1);
  });

  it('triggers once where the answer is lost, and says that nothing is sent again', async () => {
    await using harness = await openHarness(account);
    harness.emulator.addFault({ route: 'dca/trigger', occurrence: 'all', fault: { kind: 'drop-after' } });
    const { code, stdout, stderr } = await harness.webdata(...prices);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('the trigger is not sent again')]);
    expect(triggersOf(harness)).toHaveLength(1);
  });

  it('leaves no file where the rows break off, and names the run', async () => {
    await using harness = await openHarness(account);
    harness.emulator.addFault({ route: 'dca/dataset', occurrence: 'all', fault: { kind: 'truncated' } });
    const { code, stdout, stderr } = await harness.webdata(...prices, '--output', 'rows.json', '--retries', '0');
    const id = harness.emulator.runs()[0]?.id;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`to resume without a new trigger, run \`webdata collect --resume ${id}\``);
    expect(await readdir(harness.folder)).toEqual([]);
    expect(triggersOf(harness)).toHaveLength(1);
  });

  it.each([
    ['no collector', ['collect'], 'exactly one collector, --dataset or --resume is required'],
    ['no input', ['collect', 'c_prices'], '--inputs FILE or --input KEY=VALUE'],
    ['two kinds of input', [...prices, '--inputs', 'x.json'], 'cannot be used with'],
    ['a field without a value', ['collect', 'c_prices', '--input', 'url'], 'It must be KEY=VALUE.'],
    ['a field twice', [...prices, '--input', 'url=x'], 'The field url is given twice.'],
    [
      'a file that is not JSON',
      ['collect', 'c_prices', '--inputs', 'bad.ndjson'],
      'bad.ndjson:2: the line is not JSON',
    ],
    [
      'an input that is no object',
      ['collect', 'c_prices', '--inputs', 'list.json'],
      'list.json: input 2 is a number 7',
    ],
    ['the declaration as output', [...prices, '--output', 'webdata.yaml'], 'the file is the declaration'],
    ['what is no collector', ['collect', 'prices', ...input], 'the ID of a collector, c_…'],
  ])('triggers nothing for %s', async (_, args, says) => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', '');
    await harness.write('bad.ndjson', '{"url":"x"}\nurl: y\n');
    await harness.write('list.json', '[{"url":"x"}, 7]');
    const { code, stdout, stderr } = await harness.webdata(...args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
    expect(triggersOf(harness)).toEqual([]);
  });
});

it('inputs are the same as a list and one a line', () => {
  const inputs = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 });
  fc.assert(
    fc.property(inputs, (list) => {
      const lines = list.map((each) => JSON.stringify(each)).join('\n');
      expect(parseInputs(lines, 'x')).toEqual(parseInputs(JSON.stringify(list), 'x'));
    }),
  );
});
