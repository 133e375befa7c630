/** `webdata emulator`: what its options are to the service that it runs. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

interface Ready {
  apiUrl: string;
  keys: { user: string; ops: string };
}

it('writes deliveries into the folder of --deliver-to, and keeps runs in --state', async () => {
  await using harness = await openHarness({ id: 'hl_example' });
  await harness.write('account.yaml', 'id: hl_example\ncollectors: { c_prices: {} }\n');
  const options = ['--manager-port', '0', '--ready-file', 'ready.json', '--state', 'state.json', '--deliver-to', 'out'];
  const ended = new AbortController();
  const running = harness.webdataWith({ signal: ended.signal }, 'emulator', '--account', 'account.yaml', ...options);

  const ready = async () => JSON.parse(await harness.read('ready.json')) as Ready;
  await expect.poll(ready).toBeDefined();
  const { apiUrl, keys } = await ready();
  const deliver = '{"type":"s3","bucket":"results","filename":{"template":"rows","extension":"ndjson"}}';
  const url = `${apiUrl}/dca/trigger?${new URLSearchParams({ collector: 'c_prices', deliver })}`;
  const headers = { authorization: `Bearer ${keys.user}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: '[{"url":"https://shop.example.com/1"}]' });
  const { collection_id } = (await answer.json()) as { collection_id: string };

  const delivered = () => readFile(`${harness.folder}/out/s3/results/rows.ndjson`, 'utf8');
  await expect.poll(delivered).toBe('{"input":{"url":"https://shop.example.com/1"}}\n');
  ended.abort();
  const { stdout, ...ending } = await running;
  expect(ending).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toContain(
    `\nexport WEBDATA_API_URL=${apiUrl}\nexport WEBDATA_API_KEY=${keys.ops}\nexport WEBDATA_MANAGER_URL=http`,
  );
  expect(stdout).toMatch(/\nCtrl-C stops it\.\n$/);
  expect(JSON.parse(await harness.read('state.json')).runs).toMatchObject([{ id: collection_id }]);
});
