/** No secret is shown: not by a declaration that is wrong, not by a process. `test/reliability/secrets.test.ts` has all commands. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { declaration } from '../../reliability/faults/steps/cases.ts';
import { canaries, shownIn } from '../../reliability/secrets/canaries.ts';
import { accountWith, openHarness, serviceYaml } from '../cli/harness.ts';
import { start } from './process.ts';

it.each([
  ['a key where a URL belongs', `service: { url: "\${SECRET}" }`],
  ['a key as a wrong name', `service: { apiKey: "\${SECRET}", "\${SECRET}": 1 }`],
  ['a list of keys', `service: { apiKey: ["\${SECRET}"] }`],
  ['a map of keys', `manager: { token: { value: "\${SECRET}" } }`],
  ['a key in a number', `managerSettings: { local: { logs: "\${SECRET}" } }`],
  ['a key in a choice', `zoneIpAllocations: { a: { zones: { b: { count: 1 } }, unmanaged: "\${SECRET}" } }`],
  ['a key as an address', `zoneIpAllocations: { a: { zones: { b: { ips: ["\${SECRET}"] } } } }`],
  ['a URL with credentials', `manager: { url: "ftp://canary:\${USERINFO}@127.0.0.1:1" }`],
])('a declaration that is wrong shows no secret: %s', async (_what, yaml) => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', `${yaml}\n`);
  const env = { SECRET: canaries.apiKey, USERINFO: canaries.userInfo };
  for (const args of [['validate'], ['plan'], ['apply', '--yes', '--format', 'json'], ['pull']]) {
    const { code, stdout, stderr } = await harness.webdataWith({ env }, ...args);
    expect({ code, shown: shownIn(stdout + stderr) }).toEqual({ code: 1, shown: [] });
  }
});

it('a process has no secret among its arguments, and shows and keeps none', async () => {
  await using harness = await openHarness(
    await accountWith('plain', ({ apiKeys, manager }) => {
      for (const key of apiKeys) if (key.permission === 'Ops') key.value = canaries.apiKey;
      manager.token = canaries.managerToken;
    }),
  );
  const { emulator, folder } = harness;
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
  emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: 300 } });
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: canaries.apiKey,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
    WEBDATA_MANAGER_TOKEN: canaries.managerToken,
  };
  const { child, finished } = start(['apply', '--yes', '--log-http'], { cwd: folder, env });
  const isMoving = () => emulator.requests().some(({ route }) => route === 'zone/ips/migrate');
  while (child.exitCode === null && !isMoving()) await setTimeout(20);
  expect(shownIn(await readFile(`/proc/${child.pid}/cmdline`, 'utf8'))).toEqual([]);
  const { code, stdout, stderr } = await finished;
  expect({ code, shown: shownIn(stdout + stderr) }).toEqual({ code: 0, shown: [] });
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) expect(shownIn(await readFile(join(file.parentPath, file.name), 'utf8'))).toEqual([]);
  }
});
