/** `webdata emulator`: what its options are to the service that it runs. */
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

interface Ready {
  apiUrl: string;
  keys: { user: string; ops: string };
}

it('says how to reach it, on the terminal and in the ready file', async () => {
  await using harness = await openHarness({ id: 'hl_example' });
  await harness.write('account.yaml', 'id: hl_example\nzones: { parked: {} }\n');
  const options = ['--manager-port', '0', '--ready-file', 'ready.json'];
  const ended = new AbortController();
  const running = harness.webdataWith({ signal: ended.signal }, 'emulator', '--account', 'account.yaml', ...options);

  const ready = async () => JSON.parse(await harness.read('ready.json')) as Ready;
  await expect.poll(ready).toBeDefined();
  const { apiUrl, keys } = await ready();
  const headers = { authorization: `Bearer ${keys.user}` };
  expect(await (await fetch(`${apiUrl}/zone/ips?zone=parked`, { headers })).json()).toEqual({ ips: [] });

  ended.abort();
  const { stdout, ...ending } = await running;
  expect(ending).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toContain(
    `\nexport WEBDATA_API_URL=${apiUrl}\nexport WEBDATA_API_KEY=${keys.ops}\nexport WEBDATA_MANAGER_URL=http`,
  );
  expect(stdout).toMatch(/\nCtrl-C stops it\.\n$/);
});
