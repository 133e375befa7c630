/** What `webdata collect` can say of a run besides its inputs, of collectors and of datasets; and rows as CSV. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { AccountInput } from '../../../src/emulator/index.ts';
import { type Harness, openHarness } from '../harness.ts';

const account: AccountInput = {
  id: 'hl_example',
  collectors: {
    c_prices: { row: { title: 'Item "{n}"', price: 12.5 } },
    c_uneven: { rows: [{ title: 'Item 1' }, { title: 'Item 2', sale: true }] },
  },
  datasets: {
    gd_companies: { row: { name: 'Company {n}' } },
    gd_slow: { seconds: 3600, row: { name: 'Company {n}' } },
  },
};

const input = ['--input', 'url=https://shop.example.com/1'];
const prices = ['collect', 'c_prices', ...input];
const companies = ['collect', '--dataset', 'gd_companies', ...input];

const triggersOf = ({ emulator }: Harness) =>
  emulator.requests().flatMap(({ route, query }) => (route?.endsWith('/trigger') ? [query] : []));

const s3 = `type: s3
bucket: results
credentials: { accessKey: "\${ACCESS_KEY}", secretKey: "\${SECRET_KEY}" }
directory: daily
filename: { template: "run-{[datetime]}", extension: json }
deliveryType: deliver_results
`;
const secrets = { ACCESS_KEY: 'canary-access-key', SECRET_KEY: 'canary-secret-key' };

describe('a collector', () => {
  it('is triggered with all that is said of the run, under the names of the service', async () => {
    await using harness = await openHarness(account);
    const { code } = await harness.webdata(
      ...[...prices, '--no-wait', '--queue-next', '--notify', 'https://hooks.example.com/done', '--dev'],
      ...['--name', 'nightly', '--queue', 'shops', '--cancel-running', '--no-media', '--max-time', '2h'],
    );
    expect(code).toBe(0);
    expect(triggersOf(harness)).toEqual([
      {
        collector: 'c_prices',
        queue_next: '1',
        notify: '{"type":"webhook","endpoint":"https://hooks.example.com/done"}',
        version: 'dev',
        name: 'nightly',
        queue: 'shops',
        cancel_running: '1',
        no_downloads: '1',
        deadline: '2h',
      },
    ]);
  });

  it('is triggered with nothing else where nothing is said, and with queue_next=0 where that is said', async () => {
    await using harness = await openHarness(account);
    await harness.webdata(...prices, '--no-wait');
    await harness.webdata(...prices, '--no-wait', '--no-queue-next', '--notify', 'email');
    expect(triggersOf(harness)).toEqual([
      { collector: 'c_prices' },
      { collector: 'c_prices', queue_next: '0', notify: '{"type":"email"}' },
    ]);
  });

  it('triggers nothing for a webhook with an authorization and no endpoint', async () => {
    await using harness = await openHarness(account);
    await harness.write('hook.yaml', "type: webhook\nwebhook_header_Authorization: 'Bearer canary-hook'\n");
    const { code, stderr } = await harness.webdata(...prices, '--no-wait', '--deliver', 'hook.yaml');
    expect([code, triggersOf(harness)]).toEqual([1, []]);
    expect(stderr).toContain('`deliver.webhook_header_Authorization` requires `deliver.endpoint`, which is missing');
    expect(stderr).not.toContain('canary-hook');
  });

  it('delivers to where a file says, whose credentials are shown nowhere', async () => {
    await using harness = await openHarness(account);
    await harness.write('s3.yaml', s3);
    const seen: string[] = [];
    const args = [...prices, '--no-wait', '--deliver', 's3.yaml', '--log-http'];
    const { code, stdout, stderr } = await harness.webdataWith({ env: secrets }, ...args);
    seen.push(stdout, stderr);
    expect([code, triggersOf(harness).length]).toEqual([0, 1]);
    const { deliver = '' } = triggersOf(harness)[0] ?? {};
    expect(JSON.parse(String(deliver))).toMatchObject({
      type: 's3',
      bucket: 'results',
      credentials: { 'aws-access-key': expect.any(String), 'aws-secret-key': expect.any(String) },
      delivery_type: 'deliver_results',
    });
    harness.emulator.addFault({ route: 'dca/trigger', fault: { kind: 'status', status: 422 } });
    const refused = await harness.webdataWith({ env: secrets }, ...args);
    seen.push(refused.stdout, refused.stderr);
    expect(refused.code).toBe(1);
    for (const text of seen) expect(text).not.toContain('canary');
  });

  it.each([
    ['no type', 'bucket: canary-1', 'deliver.yaml:1:1'],
    ['a type that there is not', 'type: ftp', '"ftp"'],
    ['a field that there is not', `${s3}diretory: x\n`, 'unknown key `diretory`'],
    ['no credentials', 'type: s3\nbucket: results', '`credentials` is missing'],
    [
      'credentials as one text',
      'type: s3\nbucket: results\ncredentials: canary-1',
      'deliver.yaml:3:14: `credentials` is a string\n',
    ],
    [
      'a key of another type',
      'type: s3\nbucket: results\ncredentials: { accessKey: canary-1, secretKey: 77001 }',
      '`secretKey` is a number\n',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
    ['a variable that is not set', 'type: s3\nbucket: "${NOT_SET}"', 'NOT_SET'],
    ['a list', '[canary-1]', 'a list'],
    ['what is no YAML', 'type: "s3', 'deliver.yaml:1'],
  ])('triggers nothing for a delivery file with %s, and shows no secret of it', async (_, text, says) => {
    await using harness = await openHarness(account);
    await harness.write('deliver.yaml', text);
    const { code, stdout, stderr } = await harness.webdataWith(
      { env: secrets },
      ...[...prices, '--deliver', 'deliver.yaml'],
    );
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
    expect(stderr).not.toMatch(/canary|77001/);
    expect(triggersOf(harness)).toEqual([]);
  });

  it('writes its rows as CSV, what is no text as JSON', async () => {
    await using harness = await openHarness(account);
    const { code, stdout } = await harness.webdata(...prices, '--format', 'csv');
    const [header, row] = stdout.split('\r\n');
    expect([code, header?.split(',').sort()]).toEqual([0, ['input', 'price', 'title']]);
    expect(row).toContain('"Item ""1"""');
    expect(row).toContain('12.5');
    expect(row).toContain('"{""url"":""https://shop.example.com/1""}"');
  });

  it('leaves no field out of a table unsaid, and no file', async () => {
    await using harness = await openHarness(account);
    const args = ['collect', 'c_uneven', ...input, '--format', 'csv', '--output', 'rows.csv'];
    const { code, stderr } = await harness.webdata(...args);
    const id = harness.emulator.runs()[0]?.id ?? '';
    expect(code).toBe(1);
    expect(stderr).toContain('row 2 has the field sale, which the first row does not have\n');
    expect(stderr).toContain(`to get all rows, run \`webdata collect --resume ${id} --format ndjson\``);
    expect(await readdir(harness.folder)).toEqual([]);
    const all = await harness.webdata('collect', '--resume', id, '--format', 'ndjson');
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('"sale":true') });
    const kept = await harness.webdata('collect', '--resume', id, '--format', 'csv', '--keep', './once');
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringMatching(/^row 2 has the field sale/)]);
    expect(kept.stderr).toContain('--format ndjson`');
  });
});

describe('a dataset', () => {
  it('is triggered, waited for, and written as rows or as the CSV of the service', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata(...companies);
    const id = harness.emulator.runs()[0]?.id ?? '';
    expect(id).toMatch(/^s_/);
    expect([code, stderr]).toEqual([0, `Triggered ${id}. To resume: webdata collect --resume ${id}\n`]);
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ name: 'Company 1' })]);
    const lines = await harness.webdata(...companies, '--format', 'ndjson');
    expect(JSON.parse(lines.stdout)).toMatchObject({ name: 'Company 1' });
    const csv = await harness.webdata(...companies, '--format', 'csv', '--output', 'companies.csv');
    expect(csv).toMatchObject({ code: 0, stdout: '' });
    expect(await harness.read('companies.csv')).toContain('Company 1');
    expect(triggersOf(harness).map(({ format }) => format)).toEqual(['json', 'ndjson', 'csv']);
  });

  it('gives the id with --no-wait, and is taken up by it', async () => {
    await using harness = await openHarness(account);
    const { stdout } = await harness.webdata('collect', '--dataset', 'gd_slow', ...input, '--no-wait');
    const id = stdout.trim();
    expect(harness.emulator.runs()).toMatchObject([{ id }]);
    setTimeout(() => harness.emulator.finishRun(id), 100);
    const resumed = await harness.webdata('collect', '--resume', id, '--poll', '1');
    expect([resumed.code, resumed.stderr, JSON.parse(resumed.stdout)]).toMatchObject([0, '', [{ name: 'Company 1' }]]);
    expect(triggersOf(harness)).toHaveLength(1);
  });

  it('posts to a webhook with a header out of the environment, which is shown nowhere', async () => {
    await using harness = await openHarness(account);
    const env = { HOOK_AUTHORIZATION: 'Bearer canary-hook' };
    const hook = ['--endpoint', 'https://hooks.example.com/x', '--uncompressed'];
    const { code, stdout, stderr } = await harness.webdataWith(
      { env },
      ...[...companies, '--no-wait', ...hook, '--authorization-env', 'HOOK_AUTHORIZATION', '--log-http'],
    );
    expect(code).toBe(0);
    expect(triggersOf(harness)).toEqual([
      {
        dataset_id: 'gd_companies',
        format: 'json',
        endpoint: 'https://hooks.example.com/x',
        uncompressed_webhook: 'true',
        webhook_header_Authorization: expect.any(String),
      },
    ]);
    expect(stderr).toContain('http: POST');
    expect(stdout + stderr).not.toContain('canary');
  });

  it('is triggered once where the answer is lost, and nothing is sent again', async () => {
    await using harness = await openHarness(account);
    harness.emulator.addFault({ route: 'datasets/trigger', occurrence: 'all', fault: { kind: 'drop-after' } });
    const { code, stdout, stderr } = await harness.webdata(...companies);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('look for a job of gd_companies')]);
    expect(triggersOf(harness)).toHaveLength(1);
  });
});

describe('nothing is triggered', () => {
  it.each([
    [
      'for a collector and a dataset',
      [...prices, '--dataset', 'gd_companies'],
      'exactly one collector, --dataset or --resume is required',
    ],
    ['for what is no dataset', ['collect', '--dataset', 'companies', ...input], 'the ID of a dataset, gd_…'],
    ['for a dataset and a snapshot', [...companies, '--resume', 's_1'], 'cannot be used with'],
    ['for an option of collectors with a dataset', [...companies, '--dev'], "'--dev' cannot be used with"],
    ['for --no-queue-next with a dataset', [...companies, '--no-queue-next'], 'cannot be used with'],
    ['for a run that goes on and a new name', ['collect', '--resume', 'j_1', '--name', 'x'], 'cannot be used with'],
    [
      'for a webhook of a collector',
      [...prices, '--endpoint', 'https://hooks.example.com/'],
      '--endpoint requires --dataset',
    ],
    ['for a header without a webhook', [...companies, '--authorization-env', 'X'], 'require --endpoint'],
    [
      'for a header that is not set',
      [...companies, '--endpoint', 'https://hooks.example.com/', '--authorization-env', 'NOT_SET'],
      '--authorization-env: NOT_SET is not set',
    ],
    ['for a time without a unit', [...prices, '--max-time', '30'], 'such as 2h, 30m or 90s'],
    ['for a file that is not there', [...prices, '--deliver', 'none.yaml'], 'none.yaml'],
  ])('%s', async (_, args, says) => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata(...args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
    expect(harness.emulator.requests()).toEqual([]);
  });

  it.each([
    ['--notify', [...prices, '--notify', 'hooks.example.com/?token=canary-1']],
    ['--endpoint', [...companies, '--endpoint', 'ftp://hooks.example.com/?token=canary-1']],
  ])('for a %s that is no URL, which may hold a token and is not shown', async (option, args) => {
    await using harness = await openHarness(account);
    const { code, stderr } = await harness.webdata(...args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^${option} .*\n  allowed: an http or https URL`)),
    ]);
    expect(stderr).not.toContain('canary');
    expect(harness.emulator.requests()).toEqual([]);
  });
});
