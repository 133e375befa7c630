/** `webdata emulator`: what its options are to the service that it runs. */
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

interface Ready {
  apiUrl: string;
  keys: { user: string; ops: string };
}

it('keeps runs in --state, and says how to reach it', async () => {
  await using harness = await openHarness({ id: 'hl_example' });
  await harness.write('account.yaml', 'id: hl_example\ncollectors: { c_prices: {} }\n');
  const options = ['--manager-port', '0', '--ready-file', 'ready.json', '--state', 'state.json'];
  const ended = new AbortController();
  const running = harness.webdataWith({ signal: ended.signal }, 'emulator', '--account', 'account.yaml', ...options);

  const ready = async () => JSON.parse(await harness.read('ready.json')) as Ready;
  await expect.poll(ready).toBeDefined();
  const { apiUrl, keys } = await ready();
  const url = `${apiUrl}/dca/trigger?collector=c_prices`;
  const headers = { authorization: `Bearer ${keys.user}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: '[{"url":"https://shop.example.com/1"}]' });
  const { collection_id } = (await answer.json()) as { collection_id: string };

  ended.abort();
  const { stdout, ...ending } = await running;
  expect(ending).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toContain(
    `\nexport WEBDATA_API_URL=${apiUrl}\nexport WEBDATA_API_KEY=${keys.ops}\nexport WEBDATA_MANAGER_URL=http`,
  );
  expect(stdout).toMatch(/\nCtrl-C stops it\.\n$/);
  expect(JSON.parse(await harness.read('state.json')).runs).toMatchObject([{ id: collection_id }]);
});
