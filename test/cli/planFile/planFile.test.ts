/** Plan files: reviewed now, applied later, and not trusted. What is refused is refused before anything is called. */
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { PlanFile } from '../../../src/engine/plan/planFile.ts';
import { version } from '../../../src/version.ts';
import {
  type AccountName,
  accountWith,
  type Harness,
  migrationsOf,
  openHarness,
  serviceYaml,
  writesOf,
} from '../harness.ts';
import { planFileEdits } from './planFileEdits.ts';

const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10], keepAtLeast: 8 }
      pricing: { count: { de: 4 } }
    spare: parked
    protect: [192.0.2.12]
    maxMoves: 2
managerSettings:
  local: { logs: 500, wwwWhitelistIps: [127.0.0.1, 10.0.0.5] }
`;

/** An account with a plan of the declaration in plan.json, and a manager that lets this machine in. */
async function openWithPlan(account: AccountName = 'plain'): Promise<Harness> {
  const input = await accountWith(account, ({ manager }) => manager.settings.www_whitelist_ips.push('127.0.0.1'));
  const harness = await openHarness(input);
  await harness.write('webdata.yaml', serviceYaml(account) + declaration);
  expect(await harness.webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  return harness;
}

async function edit({ read, write }: Harness, change: (file: PlanFile) => void): Promise<void> {
  const file = JSON.parse(await read('plan.json'));
  change(file);
  await write('plan.json', JSON.stringify(file));
}

/** Applies plan.json and expects these words on stderr, no report, and not one write. */
async function refuses({ webdata, emulator }: Harness, says: string): Promise<void> {
  const { code, stdout, stderr } = await webdata('apply', 'plan.json', '--yes');
  const expected = says.slice(1).replaceAll('{api}', emulator.apiUrl).replaceAll('{manager}', emulator.managerUrl);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expected });
  expect(writesOf(emulator.requests())).toEqual([]);
}

it.each<AccountName>([
  'plain',
  'odd',
  'stranger',
  'open',
])('applies what was planned, on the %s account', async (account) => {
  await using harness = await openWithPlan(account);
  expect(await harness.webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(migrationsOf(harness.emulator.requests())).toEqual([
    'pricing -> checkout: 192.0.2.10',
    'parked -> pricing: 203.0.113.40',
  ]);
  expect(harness.emulator.settings()).toMatchObject({ logs: 500, www_whitelist_ips: ['127.0.0.1', '10.0.0.5'] });
  expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
});

it('applies after changes that it does not depend on', async () => {
  await using harness = await openWithPlan();
  harness.emulator.move(['192.0.2.77'], 'old-pricing');
  expect(await harness.webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
});

it('is readable by its owner only, and holds no secret and no absolute path; nor does its JSON', async () => {
  await using harness = await openWithPlan();
  const { mode } = await stat(join(harness.folder, 'plan.json'));
  const json = await harness.webdataWith({ env: { WEBDATA_MANAGER_TOKEN: 'hush-hush' } }, 'plan', '--format', 'json');
  expect((mode & 0o777).toString(8)).toBe('600');
  for (const text of [await harness.read('plan.json'), json.stdout]) {
    for (const secret of [...Object.values(harness.emulator.keys), 'hush-hush', harness.folder, '"/']) {
      expect(text).not.toContain(secret);
    }
  }
});

it('holds what it was made from and for, and no field without a value', async () => {
  await using harness = await openWithPlan();
  const text = await harness.read('plan.json');
  const file = JSON.parse(text);
  expect(text).toBe(`${JSON.stringify(file, null, 2)}\n`);
  expect(file).toEqual({
    format: 'webdata.planfile/1',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    origin: harness.emulator.apiUrl,
    version,
    intent: 'update',
    files: ['webdata.yaml'],
    backend: '.webdata/journal.jsonl',
    declaration: {
      zoneIpAllocations: { static: expect.objectContaining({ spare: 'parked', maxMoves: 2 }) },
      managerSettings: { local: expect.objectContaining({ logs: 500 }) },
    },
    resources: [
      {
        collection: 'zoneIpAllocations',
        name: 'static',
        calls: [expect.objectContaining({ from: 'pricing' }), expect.objectContaining({ from: 'parked' })],
        fingerprints: {
          'zone checkout': expect.stringMatching(/^[0-9a-f]+$/),
          'zone pricing': expect.any(String),
          'zone parked': expect.any(String),
        },
      },
      {
        collection: 'managerSettings',
        name: 'local',
        calls: [expect.objectContaining({ type: 'updateSettings' })],
        fingerprints: {
          [`settings of ${harness.emulator.managerUrl}`]: expect.any(String),
          [`ports of ${harness.emulator.managerUrl}`]: expect.any(String),
        },
      },
    ],
  });
});

it('is not written where something stands in the way', async () => {
  await using harness = await openWithPlan();
  await harness.write('webdata.yaml', 'zoneIpAllocations: { static: { zones: { checkout: { count: 99 } } } }');
  expect(await harness.webdata('plan', '--output', 'bad.json')).toMatchObject({ code: 1 });
  await expect(harness.read('bad.json')).rejects.toThrow('ENOENT');
});

it('is refused after live changes on which its calls depend, with what has changed', async () => {
  await using harness = await openWithPlan();
  harness.emulator.move(['192.0.2.10'], 'checkout');
  harness.emulator.move(['203.0.113.40'], 'old-pricing');
  harness.emulator.setSettings({ logs: 700 });
  await refuses(
    harness,
    `
zoneIpAllocations.static: the plan is out of date: zone checkout, zone pricing, zone parked changed since it was made
  allowed: a plan whose calls are still the same; no longer needed: pricing to checkout: 192.0.2.10 (and 1 more call); needed now: parked to pricing: 203.0.113.41
  fix: plan again and review the changes
managerSettings.local: the plan is out of date: settings of {manager} changed since it was made
  allowed: a plan whose calls are still the same; no longer needed: settings: wwwWhitelistIps +10.0.0.5, logs 1000 → 500; needed now: settings: wwwWhitelistIps +10.0.0.5, logs 700 → 500
  fix: plan again and review the changes
`,
  );
});

it('applies where allow lists, ports and addresses are listed in another order, here and at the manager', async () => {
  await using harness = await openHarness('plain');
  const { webdata, emulator, write } = harness;
  const declare = (ips: string[], allowed: string[], ports: number[]) =>
    write(
      'webdata.yaml',
      `service: { profile: { settleSeconds: 1 } }
zoneIpAllocations: { static: { zones: { checkout: { ips: [${ips.join(', ')}] } }, sources: [pricing] } }
managerSettings: { local: { whitelistIps: [${allowed.join(', ')}], absentPorts: [${ports.join(', ')}] } }
`,
    );
  const [ips, allowed, ports] = [
    ['192.0.2.10', '192.0.2.11'],
    ['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16'],
    [24001, 24010],
  ];
  emulator.setSettings({ whitelist_ips: ['172.16.0.0/12', '10.0.0.0/8', '192.168.0.0/16'] });
  await declare(ips, allowed, ports);
  expect(await webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0 });
  emulator.setSettings({ whitelist_ips: ['192.168.0.0/16', '172.16.0.0/12', '10.0.0.0/8'] });
  await declare(ips.toReversed(), allowed.toReversed(), ports.toReversed());
  expect(await webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(ips));
  expect(new Set(emulator.settings().whitelist_ips)).toEqual(new Set(allowed));
});

it('is refused where a port has gone that it deletes', async () => {
  await using harness = await openHarness('plain');
  const { webdata, emulator, write } = harness;
  await write('webdata.yaml', `${serviceYaml('plain')}managerSettings: { main: { absentPorts: [24001, 24010] } }\n`);
  expect(await webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
  emulator.setPorts([24000, 24010]);
  const { code, stderr } = await webdata('apply', 'plan.json', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('the plan is out of date: ports of ');
  expect(emulator.ports()).toEqual([24000, 24010]);
});

it('is refused once it was applied', async () => {
  await using harness = await openWithPlan();
  await harness.webdata('apply', 'plan.json', '--yes');
  harness.emulator.clearRequests();
  const { code, stdout, stderr } = await harness.webdata('apply', 'plan.json', '--yes');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^this plan was already applied at \S+Z \(run [0-9a-f]{8}\)\n {2}allowed: a plan is applied once\n {2}fix: plan again\n$/,
  );
  expect(harness.emulator.requests()).toEqual([]);
});

it('is refused where the declaration at hand is another one now', async () => {
  await using harness = await openWithPlan();
  const local = 'logs: 501, requestStats: false, zone: now';
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration.replace('logs: 500', local));
  await edit(harness, ({ declaration: { managerSettings } }) =>
    Object.assign(managerSettings?.local ?? {}, { requestStats: true, zone: 'before' }),
  );
  // Any text may be a secret, so only numbers and switches are shown.
  await refuses(
    harness,
    `
managerSettings.local.logs: the declaration has changed since this plan was made (was 500, is 501)
  allowed: a plan of this declaration
  fix: plan again
managerSettings.local.requestStats: the declaration has changed since this plan was made (was true, is false)
  allowed: a plan of this declaration
  fix: plan again
managerSettings.local.zone: the declaration has changed since this plan was made
  allowed: a plan of this declaration
  fix: plan again
`,
  );
  expect(harness.emulator.requests()).toEqual([]);
});

it.for(planFileEdits)('is refused when it was edited $name', async ({ change, says }) => {
  await using harness = await openWithPlan();
  await edit(harness, change);
  const { code, stdout, stderr } = await harness.webdata('apply', 'plan.json', '--yes');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const words of says) expect(stderr).toContain(words);
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it('is refused where it is nested more deeply than any declaration', async () => {
  await using harness = await openWithPlan();
  const nested = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const plan = await harness.read('plan.json');
  await harness.write('plan.json', plan.replace('"declaration": {', `"declaration": {"other": ${nested},`));
  await refuses(
    harness,
    `
plan.json is not a plan file: at declaration: maps and lists are nested too deeply
  allowed: a file that \`webdata plan --output FILE\` wrote
  fix: plan again
`,
  );
});

it.for([
  ['none.json', 'it does not exist'],
  ['.', 'it is a folder'],
  ['webdata.yaml/inside', 'a part of its path is not a folder'],
] as const)('is refused where %s cannot be read', async ([file, why]) => {
  await using harness = await openWithPlan();
  const { code, stderr } = await harness.webdata('apply', file, '--yes');
  expect(stderr).toContain(`${file} is not a plan file: ${why}\n`);
  expect(code).toBe(1);
  expect(harness.emulator.requests()).toEqual([]);
});

it.for([
  ['broken JSON', '{"format": "webdata.planfile/1", ', 'it is not JSON'],
  ['nothing', '', 'it is not JSON'],
  ['a list', '[]', 'at its top: Invalid input: expected object, received array'],
  ['JSON with a key twice', '{"id": "a",\n "id": "b"}', 'line 2: the key "id" is given twice in one object'],
  ['the JSON of a plan', '{"format": "webdata.plan/1"}', 'at format: Invalid input: expected "webdata.planfile/1"'],
] as const)('is refused where it is %s', async ([, content, why]) => {
  await using harness = await openWithPlan();
  await harness.write('plan.json', content);
  await refuses(
    harness,
    `
plan.json is not a plan file: ${why}
  allowed: a file that \`webdata plan --output FILE\` wrote
  fix: plan again
`,
  );
  expect(harness.emulator.requests()).toEqual([]);
});

describe('options that decide what is in a plan', () => {
  it.each([
    ['--select', ['--select', 'ManagerSettings/local'], 'plan again with --select ManagerSettings/local and --output'],
    ['--prune', ['--prune'], 'plan again with --prune and --output'],
  ])('are refused with a plan file, and nothing is sent: %s', async (option, options, fix) => {
    await using harness = await openWithPlan();
    const stdin = Readable.from([await harness.read('plan.json')]);
    const results = [
      await harness.webdata('apply', 'plan.json', '--yes', ...options),
      await harness.webdataWith({ stdin }, 'apply', '-', '--yes', ...options),
    ];
    for (const { code, stdout, stderr } of results) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${option} cannot change a plan that was made already`);
      expect(stderr).toContain('allowed: with a plan file, all of its calls and no others');
      expect(stderr).toContain(fix);
    }
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('are in the plan file: what --select left out is not agreed to be removed', async () => {
    await using harness = await openWithPlan();
    await harness.webdata('apply', '--yes');
    const withoutZones = declaration.slice(declaration.indexOf('managerSettings:')).replace('500', '600');
    await harness.write('webdata.yaml', serviceYaml('plain') + withoutZones);
    await harness.webdata('plan', '--output', 'plan.json', '--select', 'ManagerSettings/local');
    expect(await harness.webdata('apply', 'plan.json', '--yes', '--allow-removed')).toMatchObject({ code: 0 });
    expect(await harness.webdata('drift')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('ZoneIpAllocation/static'),
    });
  });
});

describe('the declaration of a plan', () => {
  it('is read from the files that it names, with its backend, its profile and its guards', async () => {
    await using harness = await openHarness('plain');
    await mkdir(join(harness.folder, 'infra'));
    const yaml = `account: acme\nbackend: ../team\n${serviceYaml('plain')}${declaration}`;
    await harness.write('infra/prod.yaml', yaml);
    await harness.write('webdata.yaml', 'zoneIpAllocations: {}\n');
    expect(await harness.webdata('plan', '-f', 'infra/prod.yaml', '--output', 'p.json')).toMatchObject({ code: 0 });
    expect(await harness.webdata('apply', 'p.json', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await harness.read('team/journal.jsonl')).toContain('"account":"acme"');
    await expect(harness.read('.webdata/journal.jsonl')).rejects.toThrow('ENOENT');
    expect(await harness.webdata('drift', '-f', 'infra/prod.yaml')).toMatchObject({ code: 0 });
  });

  it.each([
    ['a file outside of the current folder', ['../webdata.yaml'], 'pass the declaration, such as -f ../webdata.yaml'],
    ['an absolute path', ['/etc/webdata.yaml'], 'pass the declaration, such as -f /etc/webdata.yaml'],
    ['a pipe', ['-'], 'pass the declaration, such as -f FILE'],
    ['a file that is not there', ['webdata.yaml', 'gone.yaml'], 'such as -f webdata.yaml -f gone.yaml'],
  ])('is asked for where the plan names %s', async (_, files, fix) => {
    await using harness = await openWithPlan();
    await edit(harness, (plan) => Object.assign(plan, { files }));
    const { code, stderr } = await harness.webdata('apply', 'plan.json', '--yes');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(fix) });
    expect(harness.emulator.requests()).toEqual([]);
    expect(await harness.webdata('apply', 'plan.json', '--yes', '-f', 'webdata.yaml')).toMatchObject({ code: 0 });
  });

  it('decides about the guards: a plan that was edited moves no protected IP where the declaration is gone or empty', async () => {
    await using harness = await openWithPlan();
    await edit(harness, ({ declaration: { zoneIpAllocations = {} }, resources: [first] }) => {
      zoneIpAllocations.static = { zones: { checkout: { count: 0 } }, spare: 'parked', sources: [] };
      if (first) Object.assign(first, { calls: [{ ...first.calls[0], from: 'checkout', to: 'parked' }] });
    });
    for (const yaml of [undefined, '', 'managerSettings: { local: { logs: 500 } }\n']) {
      if (yaml === undefined) await rm(join(harness.folder, 'webdata.yaml'));
      else await harness.write('webdata.yaml', yaml);
      expect(await harness.webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 1, stdout: '' });
    }
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('is refused with another backend than the plan was made with', async () => {
    await using harness = await openWithPlan();
    const { code, stderr } = await harness.webdata('apply', 'plan.json', '--yes', '--backend', 'elsewhere');
    expect(code).toBe(1);
    expect(stderr).toContain('the plan was made with the runs and the lock in .webdata/journal.jsonl');
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });
});
