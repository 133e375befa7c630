import { describe, expect, test } from 'vitest';
import { readAccount } from '../../src/emulator/index.ts';
import { exampleFile, get, listed, migrate, send, start } from './helpers.ts';

const odd = await readAccount(exampleFile('odd'));
const plain = await readAccount(exampleFile('plain'));

describe('the odd account', () => {
  test('has other names for its geolocation databases and for the switch that counts', async () => {
    const emulator = await start(odd);
    const { body } = await get(emulator, '/zone/ips?zone=pricing');
    expect((body as { ips: unknown[] }).ips).toContainEqual({
      ip: '198.51.100.7',
      atlas: 'US',
      ext: { borealis: 'US', compass: 'CA', daylight: 'US' },
    });
    expect((await get(emulator, '/zone/ips?zone=checkout&totals=country')).body).toEqual({ US: 5, DE: 3 });
  });

  test('lists an unknown zone as empty', async () => {
    const emulator = await start(odd);
    expect((await get(emulator, '/zone/ips?zone=chekout')).body).toEqual({ ips: [] });
    expect((await get(emulator, '/zone/ips?zone=chekout&totals=country')).body).toEqual({});
    expect((await get(emulator, '/zone/recent_ips?zones=chekout')).body).toEqual({ chekout: [] });
  });

  test('moves all IPs or none, and its listings lag', async () => {
    const emulator = await start(odd);
    const refused = await migrate(emulator, 'pricing', 'checkout', ['192.0.2.10', '192.0.2.77']);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({ error: { code: 'conflict', message: 'not in the source zone', ips: '192.0.2.77' } });
    expect(emulator.ips('checkout')).not.toContain('192.0.2.10');

    expect((await migrate(emulator, 'pricing', 'checkout', ['192.0.2.10'])).status).toBe(200);
    expect(await listed(emulator, 'checkout')).not.toContain('192.0.2.10');
    expect(await listed(emulator, 'checkout')).not.toContain('192.0.2.10');
    expect(await listed(emulator, 'checkout')).toContain('192.0.2.10');
  });

  test('answers errors as JSON objects of its own', async () => {
    const emulator = await start(odd);
    const unknown = await get(emulator, '/zone/ips?zone=checkout', 'nothing');
    expect(unknown).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthenticated', message: 'unknown credentials' } },
    });
    const forbidden = await migrate(emulator, 'pricing', 'checkout', ['192.0.2.10'], emulator.keys.user);
    expect(forbidden).toMatchObject({
      status: 403,
      body: { error: { message: 'POST /zone/ips/migrate needs the role Admin or Ops' } },
    });
    expect((await migrate(emulator, 'pricing', 'nowhere', ['192.0.2.10'])).status).toBe(400);
  });

  test('reads settings only by a PUT, drops an allowlist entry and shows no port in its stats', async () => {
    const { managerUrl } = await start(odd);
    expect((await send('GET', `${managerUrl}/api/settings`)).status).toBe(405);
    const put = await send('PUT', `${managerUrl}/api/settings`, {
      json: { whitelist_ips: ['10.66.0.0/16', '10.1.0.0/16'] },
    });
    expect(put.body).toMatchObject({
      whitelist_ips: ['10.1.0.0/16'],
      fixed_whitelist_ips: ['127.0.0.1', '10.255.0.1'],
    });
    expect((await send('GET', `${managerUrl}/api/recent_stats`)).body).not.toHaveProperty('ports');
    expect((await send('GET', `${managerUrl}/api/proxies_running`)).body).toEqual([
      { port: 24000 },
      { port: 24001 },
      { port: 24010 },
    ]);
  });
});

test('both example accounts have the same zones and addresses, all from documentation ranges', async () => {
  expect(odd.zones).toEqual(plain.zones);
  expect(Object.keys(plain.zones)).toEqual(
    expect.arrayContaining(['checkout', 'pricing', 'archive', 'old-pricing', 'parked']),
  );
  const emulator = await start(plain);
  const ips = Object.keys(plain.zones).flatMap((zone) => emulator.ips(zone));
  expect(ips.length).toBeGreaterThanOrEqual(40);
  expect(ips.filter((ip) => !/^(192\.0\.2|198\.51\.100|203\.0\.113)\./.test(ip))).toEqual([]);
});
