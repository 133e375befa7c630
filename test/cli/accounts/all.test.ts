/** `--all`: a file per account, one report, one exit code. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../../src/report/formats.ts';
import { type Accounts, declarationOf, inPlace, oneMove, openAccounts } from './accounts.ts';

const pattern = 'accounts/*.yaml';
const wrongKey = (text: string) => text.replace(/apiKey: .*/, 'apiKey: wrong-key');

/** Rewrites the file of an account. */
async function edit(its: Accounts, name: string, change: (text: string) => string): Promise<void> {
  await its.write(`accounts/${name}.yaml`, change(await its.read(`accounts/${name}.yaml`)));
}

describe('webdata plan --all', () => {
  it('shows a section for each account in the order of the files, then a table', async () => {
    await using its = await openAccounts({ us: inPlace, eu: oneMove, asia: oneMove });
    const { code, stdout, stderr } = await its.webdata('plan', '--all', pattern);
    expect(code).toBe(0);
    expect(stdout.match(/^(== .*|zoneIp.*|acme.*|Plan of.*)$/gm)).toEqual([
      '== acme-asia ==  accounts/asia.yaml',
      'zoneIpAllocations.static',
      '== acme-eu ==  accounts/eu.yaml',
      'zoneIpAllocations.static',
      '== acme-us ==  accounts/us.yaml',
      'zoneIpAllocations.static',
      'acme-asia  changes     Plan: 1 IP moves in 1 call (may incur charges) · 7',
      'acme-eu    changes     Plan: 1 IP moves in 1 call (may incur charges) · 7',
      'acme-us    no changes  No changes. Live state is as declared. 7 unmanaged IPs',
      'Plan of 3 accounts: changes in 2, no changes in 1.',
    ]);
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
      expect.stringMatching(/^acme-asia: changes \(\d of 3\)$/),
      expect.stringMatching(/^acme-eu: changes \(\d of 3\)$/),
      expect.stringMatching(/^acme-us: no changes \(\d of 3\)$/),
    ]);
    const serial = await its.webdata('plan', '--all', pattern, '--parallel-accounts', '1');
    expect(serial.stdout).toBe(stdout);
    expect(await its.webdata('plan', '--all=accounts/eu.yaml', '--detailed-exitcode')).toMatchObject({ code: 2 });
    expect(await its.webdata('--all', pattern, 'plan')).toMatchObject({ code, stdout });
  });

  it('shows every other account although one fails, and exits with 1', async () => {
    await using its = await openAccounts({ a: oneMove, b: inPlace, c: inPlace, d: oneMove });
    await edit(its, 'b', () => 'zoneIpAllocation: {}\n');
    await edit(its, 'c', wrongKey);
    const { code, stdout, stderr } = await its.webdata('plan', '--all', pattern, '--detailed-exitcode');
    expect(code).toBe(1);
    expect(stdout).toContain('Plan of 4 accounts: changes in 2, blocked in 2.');
    expect(stdout).toContain('== accounts/b.yaml ==');
    expect(stdout).toContain('did you mean `zoneIpAllocations`?');
    expect(stdout.match(/192\.0\.2\.10 us/g)).toHaveLength(2);
    expect(stderr).toMatch(/^acme-c: blocked/m);
  });

  it('writes one report of each format', async () => {
    await using its = await openAccounts({ eu: oneMove, us: inPlace });
    const reports = formatNames.flatMap((format) => ['--report', `${format}=reports/${format}`]);
    expect(await its.webdata('plan', '--all', pattern, '--format', 'json', ...reports)).toMatchObject({ code: 0 });
    for (const format of formatNames) {
      const text = await its.read(`reports/${format}`);
      expect([format, text.includes('acme-eu')]).toEqual([format, true]);
    }
    const document = JSON.parse(await its.read('reports/json'));
    expect(document).toMatchObject({
      format: 'webdata.accounts/1',
      createdAt: expect.any(String),
      summary: { accounts: 2, changed: 1, failed: 0 },
      accounts: [
        { account: 'acme-eu', file: 'accounts/eu.yaml', exitCode: 0, state: 'changes', report: { account: 'acme-eu' } },
        { account: 'acme-us', state: 'no changes' },
      ],
    });
  });

  it('merges each file over the files of -f', async () => {
    await using its = await openAccounts({ eu: '', us: '' });
    await its.write('base.yaml', oneMove);
    const { stdout } = await its.webdata('plan', '--all', pattern, '-f', 'base.yaml');
    expect(stdout).toContain('Plan of 2 accounts: changes in 2.');
  });
});

describe('the files of --all', () => {
  const refused = async (its: Accounts, ...args: string[]) => {
    const { code, stdout, stderr } = await its.webdata(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const emulator of Object.values(its.emulators)) expect(emulator.requests()).toEqual([]);
    return stderr;
  };

  it('must be for different accounts', async () => {
    await using its = await openAccounts({ eu: inPlace, us: inPlace });
    await edit(its, 'us', (text) => text.replace('acme-us', 'acme-eu'));
    expect(await refused(its, 'apply', '--all', pattern, '--yes')).toContain(
      'accounts/eu.yaml and accounts/us.yaml are for the same account, acme-eu',
    );
  });

  it('must have names if their accounts share a host, and keys of their own', async () => {
    await using its = await openAccounts({ eu: inPlace });
    const eu = its.emulators.eu?.apiUrl ?? '';
    const one = declarationOf('one', { apiUrl: eu }, inPlace);
    const two = declarationOf('two', { apiUrl: eu }, inPlace);
    const [ops, admin] = [its.emulators.eu?.keys.ops, its.emulators.eu?.keys.admin];
    await edit(its, 'eu', () => one.replace(/account: .*\n/, '').replace(/apiKey: .*/, `apiKey: ${ops}`));
    await its.write('accounts/two.yaml', two.replace(/account: .*\n/, '').replace(/apiKey: .*/, `apiKey: ${admin}`));
    expect(await refused(its, 'plan', '--all', pattern)).toContain('give each file its own `account:` name');
    await its.write('accounts/two.yaml', two.replace(/apiKey: .*/, `apiKey: ${ops}`));
    expect(await refused(its, 'plan', '--all', pattern)).toContain('use the same API key at the same host');
    await its.write('accounts/two.yaml', two.replace(/apiKey: .*/, `apiKey: ${admin}`));
    expect(await its.webdata('plan', '--all', pattern)).toMatchObject({ code: 0 });
  });

  it('must exist', async () => {
    await using its = await openAccounts({ eu: inPlace });
    expect(await refused(its, 'plan', '--all', 'acounts/*.yaml')).toContain('--all acounts/*.yaml matches no file');
    expect(await refused(its, 'plan', '--all', '{1..99999999}.yaml')).toContain('has a range in braces');
  });

  it('are only for commands that handle several accounts', async () => {
    await using its = await openAccounts({ eu: inPlace });
    expect(await refused(its, 'undo', '--all', pattern)).toContain("unknown option '--all'");
  });
});

describe('webdata drift --all', () => {
  it('exits with 2 on drift in any account, and with 1 after an error, but shows the drift', async () => {
    await using its = await openAccounts({ eu: inPlace, us: inPlace });
    expect(await its.webdata('drift', '--all', pattern)).toMatchObject({ code: 0 });
    its.emulators.us?.move(['192.0.2.12'], 'parked');
    const drifted = await its.webdata('drift', '--all', pattern);
    expect(drifted).toMatchObject({ code: 2, stdout: expect.stringContaining('no drift in 1, drift in 1.') });
    await edit(its, 'eu', wrongKey);
    const failed = await its.webdata('drift', '--all', pattern);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('192.0.2.12') });
    expect(failed.stdout).toContain('Drift of 2 accounts: blocked in 1, drift in 1.');
  });
});

describe('webdata validate --all', () => {
  it('checks every file', async () => {
    await using its = await openAccounts({ a: inPlace, b: inPlace, c: inPlace });
    expect(await its.webdata('validate', '--all', pattern)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/accounts\/a\.yaml is valid: .*\n.*\n.*\n3 accounts: all valid\.\n$/),
    });
    await edit(its, 'b', (text) => `${text}nonsense: 1\n`);
    const { code, stdout } = await its.webdata('validate', '--all', pattern);
    expect(code).toBe(1);
    expect(stdout).toMatch(/a\.yaml is valid.*accounts\/b\.yaml:\d+.*c\.yaml is valid.*3 accounts: 1 not valid\.\n$/s);
  });
});

describe('secrets', () => {
  it('of one account are in no output of another', async () => {
    const leak = `zoneIpAllocations: { static: { zones: { "\${WEBDATA_ACME_EU_API_KEY}": { ips: [192.0.2.12] } } } }\n`;
    await using its = await openAccounts({ eu: inPlace, us: leak });
    const reports = formatNames.flatMap((format) => ['--report', `${format}=reports/${format}`]);
    const { stdout, stderr } = await its.webdata('plan', '--all', pattern, '--log-http', ...reports);
    const kept = await readdir(join(its.harness.folder, 'reports'));
    const texts = await Promise.all(kept.map((name) => readFile(join(its.harness.folder, 'reports', name), 'utf8')));
    const key = its.emulators.eu?.keys.ops ?? '';
    expect([stdout, stderr, ...texts].filter((text) => text.includes(key))).toEqual([]);
    expect(stderr).toMatch(/^acme-eu: http: GET /m);
  });
});

describe('a file that is gone', () => {
  const loud = expect.stringContaining('no longer declared, and not compared: ZoneIpAllocation/static');

  it('is as loud as one that was emptied, until an apply agrees', async () => {
    await using its = await openAccounts({ eu: inPlace, us: inPlace });
    const all = ['--all', 'accounts/*.yaml'];
    expect(await its.webdata('apply', ...all, '--yes')).toMatchObject({ code: 0 });
    await rm(join(its.harness.folder, 'accounts', 'us.yaml'));
    expect(await its.webdata('drift', ...all)).toMatchObject({ code: 1, stdout: loud });
    expect(await its.webdata('plan', ...all, '--detailed-exitcode')).toMatchObject({ code: 1, stdout: loud });
    expect(await its.webdata('apply', ...all, '--yes')).toMatchObject({ code: 0, stdout: loud });
    expect(await its.webdata('drift', ...all, '--allow-removed')).toMatchObject({ code: 0 });
    expect(await its.webdata('drift', '--all', './accounts/e*.yaml')).toMatchObject({ code: 0 });
    expect(await its.webdata('apply', ...all, '--yes', '--allow-removed')).toMatchObject({ code: 0 });
    expect(await its.webdata('drift', ...all)).toMatchObject({ code: 0 });
  });

  it('is missed where each file has a folder of its own', async () => {
    await using its = await openAccounts({ eu: inPlace, us: inPlace });
    for (const name of ['eu', 'us']) {
      await mkdir(join(its.harness.folder, 'teams', name), { recursive: true });
      await its.write(`teams/${name}/webdata.yaml`, await its.read(`accounts/${name}.yaml`));
    }
    const all = ['--all', 'teams/*/webdata.yaml'];
    expect(await its.webdata('apply', ...all, '--yes')).toMatchObject({ code: 0 });
    await rm(join(its.harness.folder, 'teams', 'us', 'webdata.yaml'));
    expect(await its.webdata('drift', ...all)).toMatchObject({ code: 1, stdout: loud });
    expect(await its.webdata('apply', ...all, '--yes', '--allow-removed')).toMatchObject({ code: 0 });
    expect(await its.webdata('drift', ...all)).toMatchObject({ code: 0 });
  });
});
