import { describe, expect, it } from 'vitest';
import { type AccountName, accountWith, openHarness, serviceYaml, writesOf } from '../harness.ts';
import { moving } from '../output/shown.ts';

const declaration =
  'zoneIpAllocations:\n  static:\n    zones:\n      checkout: { keepAtLeast: 1, ips: [192.0.2.10] }\n';

async function doctored(account: AccountName, service = '', ...args: string[]) {
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', service + declaration);
  const result = await harness.webdata('doctor', ...args);
  return { ...result, requests: harness.emulator.requests() };
}

it('finds nothing wrong with the plain account, and only reads', async () => {
  const { code, stdout, requests } = await doctored('plain');
  expect(stdout).toMatch(/^ok {5}declaration\s+valid, declares 1 resource$/m);
  expect(stdout).toMatch(/^ok {5}service\s.*answers/m);
  expect(stdout).toMatch(/^ok {5}zone checkout\s+\d+ IPs/m);
  expect(stdout).toMatch(/^(ok|note) +profile\s/m);
  expect(stdout).not.toContain('FAILED');
  expect(code).toBe(0);
  expect(writesOf(requests)).toEqual([]);
});

it('prints the profile of an account with other names, and accepts it when it is pasted', async () => {
  const first = await doctored('stranger');
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('detected what the specification leaves open');
  const pasted = /^service: .*$/m.exec(first.stdout)?.[0];
  expect(pasted).toContain('geolocation');
  const second = await doctored('stranger', `${pasted}\n`);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {5}declaration/m) });
  expect(second.stdout).not.toContain('geolocation');
});

it('gives the same checks and the profile as JSON', async () => {
  const { code, stdout } = await doctored('stranger', '', '--format', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    format: 'webdata.doctor/1',
    result: 'ok',
    checks: expect.arrayContaining([{ name: 'declaration', result: 'ok', text: 'valid, declares 1 resource' }]),
    profile: { geolocation: { first: expect.any(String) } },
  });
});

it('exits with 1 and a fix when the key is refused', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', declaration);
  const { code, stdout } = await harness.webdataWith({ env: { WEBDATA_API_KEY: 'wrong-key-0123456789' } }, 'doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED service\s.*401/m);
  expect(stdout).toMatch(/fix: .*valid API key/);
  expect(stdout).not.toContain('wrong-key-0123456789');
});

it('reports a broken declaration with its location, and still checks the service', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', 'zoneIpAllocations:\n  static: { zone: {} }\n');
  const { code, stdout } = await harness.webdata('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED declaration\s+webdata\.yaml:2:\d+: /m);
  expect(stdout).toMatch(/^ok {5}service\s/m);
});

it('reads the declared zones if the service refuses to list the recent ones, and nothing if none is declared', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', declaration);
  const fault = { kind: 'status', status: 403 } as const;
  harness.emulator.addFault({ route: 'zone/recent_ips', occurrence: 'all', fault });
  const { stdout } = await harness.webdata('doctor');
  expect(stdout).toMatch(/^FAILED service\s/m);
  expect(stdout).toMatch(/^note {3}role\s/m);
  expect(stdout).toMatch(/^ok {5}zone checkout\s/m);
  await harness.write('webdata.yaml', 'managerSettings: { local: { logs: 1000 } }\n');
  const none = await harness.webdata('doctor');
  expect(none.stdout).toMatch(/^FAILED service\s/m);
  expect(none.stdout).not.toMatch(/^\S+ +(role|zone|countries)\b/m);
});

it('notes a zone with IPs whose country is not known', async () => {
  const ips = [
    { ip: '192.0.2.12', countries: ['', '', '', ''] },
    { ip: '192.0.2.13', country: 'us' },
  ];
  await using harness = await openHarness(
    await accountWith('plain', ({ zones }) => void Object.assign(zones.checkout ?? {}, { ips })),
  );
  await harness.write('webdata.yaml', declaration);
  expect((await harness.webdata('doctor')).stdout).toMatch(
    /^note {3}zone checkout\s+2 IPs, 1 without a known country$/m,
  );
});

describe('the backend', () => {
  it('is a folder that the first run creates, with a free lock and no runs', async () => {
    const { stdout, code } = await doctored('plain');
    expect(stdout).toMatch(/^ok {5}backend\s+folder .* does not exist; the first run creates it$/m);
    expect(stdout).toMatch(/^ok {5}lock\s+free$/m);
    expect(stdout).toMatch(/^ok {5}journal\s+no runs yet$/m);
    expect(stdout).toMatch(/^ok {5}baseline\s+none yet/m);
    expect(code).toBe(0);
  });

  it('shows the last run, and that it moved IPs with a key for this account', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const { stdout } = await harness.webdata('doctor');
    expect(stdout).toMatch(/^ok {5}journal\s+1 run; the last one, apply \w{8} of \S+Z, is done$/m);
    expect(stdout).toMatch(/^ok {5}role\s.*; the last move that the service accepted was in run \w{8} of /m);
    expect(stdout).toMatch(/^ok {5}baseline\s+1 applied resource, the latest of /m);
  });

  it.each([
    [402, 'Payment Required'],
    [403, 'Your balance is too low for this operation.'],
  ])('suggests no role after %s %s', async (status, said) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    const fault = { kind: 'status', status, body: { error: said } } as const;
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 'all', fault });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    const { stdout } = await harness.webdata('doctor');
    expect(stdout).not.toContain('ask an admin');
    if (status === 403) expect(stdout).toMatch(/fix: Check the balance/);
  });

  it('shows that the service refused a move to the role of the key', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    const env = { WEBDATA_API_KEY: harness.emulator.keys.user };
    expect(await harness.webdataWith({ env }, 'apply', '--yes')).toMatchObject({ code: 1 });
    const { stdout, code } = await harness.webdataWith({ env }, 'doctor');
    expect(stdout).toMatch(/^note {3}role\s.*the service last refused a move in run /m);
    expect(stdout).toMatch(/fix: ask an admin for a key with the role Admin or Ops/);
    expect(code).toBe(0);
    expect((await harness.webdata('doctor')).stdout).not.toContain('refused a move');
  });

  it('shows a call whose outcome is open', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    await harness.webdata('apply', '--yes');
    const lines = (await harness.read('.webdata/journal.jsonl')).split('\n');
    const sent = lines.filter((line) => !/"type":"(answered|seen|end)"/.test(line));
    await harness.write('.webdata/journal.jsonl', sent.join('\n'));
    expect((await harness.webdata('doctor')).stdout).toMatch(
      /^note {3}journal\s+the outcome of 1 call is open; 1 run; .*, was interrupted or is under way\n\s+fix: `webdata plan` looks them up; `webdata history` shows them$/m,
    );
  });

  it('shows a damaged journal, and fails for one that is no journal', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    await harness.webdata('apply', '--yes');
    const journal = await harness.read('.webdata/journal.jsonl');
    await harness.write('.webdata/journal.jsonl', journal.replace('"type":"migrate"', '"type":"moveGroup"'));
    expect((await harness.webdata('doctor')).stdout).toMatch(
      /^note {3}journal\s+journal\.jsonl is damaged in 1 run; /m,
    );
    await harness.write('.webdata/journal.jsonl', 'hello\n');
    const { stdout, code } = await harness.webdata('doctor');
    expect(stdout).toMatch(/^FAILED journal\s+journal\.jsonl is not a journal of runs$/m);
    expect(code).toBe(1);
  });

  it('fails where its folder is a file', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declaration);
    await harness.write('taken', '');
    const { stdout, code } = await harness.webdata('doctor', '--backend', 'taken/inside');
    expect(stdout).toMatch(/^FAILED backend\s+.*taken.* cannot be used: .*$/m);
    expect(stdout).toMatch(/^ok {5}service\s/m);
    expect(code).toBe(1);
  });

  it('shows an account that another run has locked', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + moving);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<boolean>();
    const confirm = () => {
      asked.resolve();
      return answer.promise;
    };
    const applying = harness.webdataWith({ confirm }, 'apply');
    await asked.promise;
    const { stdout, code } = await harness.webdata('doctor');
    answer.resolve(false);
    await applying;
    expect(stdout).toMatch(/^note {3}lock\s+`webdata apply` has held the lock of this account since /m);
    expect(stdout).toContain('fix: wait until it ends; if it no longer runs, `webdata unlock` takes the lock away');
    expect(code).toBe(0);
  });
});
