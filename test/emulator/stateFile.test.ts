import { readFile, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFile } from '../temporary.ts';
import { migrate, putSettings, send, small, start } from './helpers.ts';

test('a restart finds zones, settings, ports and keys as they were, and reads the rest from the account', async () => {
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
  const refusal = {
    problems: [{ code: 'foreign-state', found: `${stateFile} does not hold the state of account hl_other` }],
  };
  await expect(start({ ...small, id: 'hl_other' }, { stateFile })).rejects.toMatchObject(refusal);
  await writeFile(stateFile, '{"id":');
  await expect(start({ ...small, id: 'hl_other' }, { stateFile })).rejects.toMatchObject(refusal);
});
