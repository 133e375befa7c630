import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { type AccountInput, writeReadyFile } from '../../src/emulator/index.ts';
import { formatProblems } from '../../src/report/text/problems.ts';
import { temporaryFile } from '../temporary.ts';
import { migrate, putSettings, send, small, start } from './helpers.ts';

test('a restart finds zones, settings, ports and keys as they were', async () => {
  const stateFile = temporaryFile('state.json');
  const first = await start(small, { stateFile });
  await migrate(first, 'pricing', 'parked', ['192.0.2.21']);
  await putSettings(first, { logs: 77 });
  first.setPorts([24009]);
  first.refreshKey('limit');
  const [before, keys] = [first.state(), { ...first.keys }];
  await first.close();

  const second = await start({ ...small, dialect: { unknownZone: 'empty' } }, { stateFile });
  expect(second.ips('parked')).toEqual(['192.0.2.21']);
  expect({ ...second.keys }).toEqual(keys);
  expect(second.state()).toEqual({ ...before, dialect: { ...before.dialect, unknownZone: 'empty' } });
  const known = await send('GET', `${second.apiUrl}/zone/ips?zone=nothing`, { key: keys.user });
  expect(known.body).toEqual({ ips: [] });
});

test('a restart reads from the account what clients cannot change', async () => {
  const stateFile = temporaryFile('state.json');
  await (await start(small, { stateFile })).close();
  const edited: AccountInput = {
    ...small,
    asns: [{ asn: '64502', title: 'Added' }],
    partnerName: 'other_partner',
    maxConcurrent: { account: 1 },
    manager: { ...small.manager, token: 'manager-token' },
  };
  const emulator = await start(edited, { stateFile });
  const asked = await send('GET', `${emulator.apiUrl}/api/other_partner/get_asn`, { key: emulator.keys.ops });
  expect(asked).toMatchObject({ status: 200, body: [{ asn: '64502', title: 'Added' }] });
  expect((await send('GET', `${emulator.managerUrl}/api/settings`)).status).toBe(401);
  expect(emulator.state().maxConcurrent).toEqual({ account: 1 });
});

test('an answered change is on disk, readable by its owner only', async () => {
  const stateFile = temporaryFile('state.json');
  const emulator = await start(small, { stateFile });
  await Promise.all(['192.0.2.20', '192.0.2.21'].map((ip) => migrate(emulator, 'pricing', 'parked', [ip])));
  const kept = JSON.parse(await readFile(stateFile, 'utf8'));
  expect(kept.zones.parked.ips.map(({ ip }: { ip: string }) => ip).sort()).toEqual(['192.0.2.20', '192.0.2.21']);
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
});

test('the state of another account, or a broken one, is refused', async () => {
  const stateFile = temporaryFile('state.json');
  await (await start(small, { stateFile })).close();
  await expect(start({ ...small, id: 'hl_other' }, { stateFile })).rejects.toMatchObject({
    problems: [
      {
        code: 'foreign-state',
        found: `${stateFile} holds the state of account hl_example`,
        allowed: 'the state of hl_other',
        fix: 'use another state file, or delete this one to start again from the account file',
      },
    ],
  });
  const told = async (state: string) => {
    await writeFile(stateFile, state);
    const error: unknown = await start(small, { stateFile }).catch((reason) => reason);
    return error instanceof ProblemError && formatProblems(error.problems);
  };
  const fix = '  fix: delete that file to start again from the account file';
  expect(await told('{"id":')).toBe(
    `no JSON in the state file ${stateFile}\n  allowed: a state file written by the emulator\n${fix}`,
  );
  expect(await told('{"id":"hl_example","zones":{"a":{"type":"dsl","password":12345678}}}')).toBe(
    `zones.a.type: \`type\` is a string "dsl" in the state file ${stateFile}\n` +
      `  allowed: datacenter, isp, residential, mobile, unlocker, search or browser\n${fix}\n` +
      `zones.a.password: \`password\` is a number in the state file ${stateFile}\n  allowed: a string\n${fix}`,
  );
});

test('the ready file has the addresses and keys of the emulator, readable by its owner only', async () => {
  const file = temporaryFile('ready.json');
  expect(existsSync(file)).toBe(false);
  const emulator = await start();
  await writeReadyFile(emulator, file);
  const { apiUrl, managerUrl, keys } = emulator;
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ apiUrl, managerUrl, keys: { ...keys } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
