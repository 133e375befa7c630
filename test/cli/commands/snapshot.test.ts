/** `webdata snapshot` on an emulator: rows or CSV, once they are there. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { AccountInput } from '../../../src/emulator/index.ts';
import { type Harness, openHarness } from '../harness.ts';

const account: AccountInput = {
  id: 'hl_example',
  datasets: {
    gd_companies: { row: { name: 'Company {n}', note: 'a "quoted", long\nnote' }, rows: 2 },
    gd_marked: { row: { '\uFEFFname': 'Company {n}' }, rows: 1 },
    gd_slow: { seconds: 3600, row: { name: 'Company {n}' } },
  },
};

const names = ['Company 1', 'Company 2'];

/** The id of a snapshot of a dataset. */
async function triggered({ emulator }: Harness, dataset: string): Promise<string> {
  const answer = await fetch(`${emulator.apiUrl}/datasets/v3/trigger?dataset_id=${dataset}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.keys.user}`, 'content-type': 'application/json' },
    body: '[{"url":"https://example.com/"}]',
  });
  return ((await answer.json()) as { snapshot_id: string }).snapshot_id;
}

describe('webdata snapshot', () => {
  it('writes rows as a list, one a line, and as CSV', async () => {
    await using harness = await openHarness(account);
    const id = await triggered(harness, 'gd_companies');
    const json = await harness.webdata('snapshot', id);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout).map(({ name }: { name: string }) => name)).toEqual(names);
    const { stdout: lines } = await harness.webdata('snapshot', id, '--format', 'ndjson');
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(names);
    const csv = await harness.webdata('snapshot', id, '--format', 'csv', '--output', 'companies.csv');
    expect(csv).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await harness.read('companies.csv')).toContain('Company 2,"a ""quoted"", long\nnote"');
  });

  it('passes the CSV of the service on to the byte, with the mark that some programs want at its beginning', async () => {
    await using harness = await openHarness(account);
    const id = await triggered(harness, 'gd_marked');
    const { stdout } = await harness.webdata('snapshot', id, '--format', 'csv');
    expect(stdout).toMatch(/^\uFEFFname,/);
    await harness.webdata('snapshot', id, '--format', 'csv', '--output', 'companies.csv');
    expect(await harness.read('companies.csv')).toBe(stdout);
  });

  it('is an error, and no file, where it is not ready', async () => {
    await using harness = await openHarness(account);
    const id = await triggered(harness, 'gd_slow');
    expect(await harness.webdata('snapshot', id, '--output', 'companies.json')).toEqual({
      code: 1,
      stdout: '',
      stderr: `the snapshot ${id} is not ready\n  fix: try again later, or wait for it with --wait\n`,
    });
    expect(await readdir(harness.folder)).toEqual([]);
  });

  it('waits with --wait', async () => {
    await using harness = await openHarness(account);
    const id = await triggered(harness, 'gd_slow');
    setTimeout(() => harness.emulator.finishRun(id), 300);
    const { code, stdout, stderr } = await harness.webdata('snapshot', id, '--wait', '--poll', '1');
    expect([code, stderr, JSON.parse(stdout)]).toMatchObject([0, '', [{ name: 'Company 1' }]]);
  });

  it('says how to go on when it is interrupted', async () => {
    await using harness = await openHarness(account);
    const id = await triggered(harness, 'gd_slow');
    const interrupt = new AbortController();
    const waiting = harness.webdataWith({ signal: interrupt.signal }, 'snapshot', id, '--wait');
    await expect.poll(() => harness.emulator.requests().some(({ path }) => path.includes(id))).toBe(true);
    interrupt.abort();
    const { code, stderr } = await waiting;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`to wait again, run \`webdata snapshot ${id} --wait\``),
    ]);
  });

  it('says that there is no such snapshot', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata('snapshot', 's_none');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('Snapshot not found')]);
  });
});
