/** Which account a front belongs to, on every backend: fronts with and without a name, and names that are added or changed. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Harness, migrationsOf, openDeclared, openHarness, serviceYaml } from '../../../cli/harness.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { describeStores } from '../servers.ts';

const profile = serviceYaml('plain', 1);
const declaration = `${profile}
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }
`;
const moved = ['pricing -> checkout: 192.0.2.10'];
const named = (account: string, rest = declaration) => `account: ${account}\n${rest}`;

interface Place extends AsyncDisposable {
  harness: Harness;
  address: string;
  /** Runs a command with the backend, in the folder of the account or on another machine, with another declaration. */
  run(...args: string[]): ReturnType<Harness['webdata']>;
  elsewhere(text: string, ...args: string[]): ReturnType<Harness['webdata']>;
}

describe('the folder', () => suite(async () => temporaryFolder(), {}));
describeStores('a shared backend', (server) => suite(server.newAddress, server));

function suite(newAddress: () => Promise<string>, server: { name?: string; env?: () => Record<string, string> }): void {
  async function open(text: string): Promise<Place> {
    const [harness, other] = [await openHarness('plain'), await openHarness('plain')];
    await harness.write('webdata.yaml', text);
    const address = await newAddress();
    const env = { ...server.env?.(), WEBDATA_BACKEND: address };
    const urls = { WEBDATA_API_URL: harness.emulator.apiUrl, WEBDATA_API_KEY: harness.emulator.keys.ops };
    return {
      harness,
      address,
      run: (...args) => harness.webdataWith({ env }, ...args),
      async elsewhere(its, ...args) {
        await other.write('webdata.yaml', its);
        return other.webdataWith({ env: { ...env, ...urls } }, ...args);
      },
      async [Symbol.asyncDispose]() {
        await harness[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  }
  const migrations = ({ harness }: Place) => migrationsOf(harness.emulator.requests());

  /** An apply under this name whose move the service accepted and no listing shows. */
  async function openUnseen(text: string): Promise<Place> {
    const place = await open(text);
    place.harness.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 600_000 } });
    expect((await place.run('apply', '--yes')).stdout).toContain('is not visible yet');
    expect(migrations(place)).toEqual(moved);
    return place;
  }

  it.each([
    ['a name, and one without', named('acme'), declaration],
    ['no name, and one that has got one', declaration, named('acme')],
    ['a name, and one with another name', named('acme'), named('acme-new')],
  ])('a front with %s do not pay for one move twice, from two machines', async (_, first, second) => {
    await using place = await openUnseen(first);
    const { code, stdout } = await place.elsewhere(second, 'apply', '--yes');
    expect([code, stdout]).toEqual([1, expect.stringContaining('but no listing shows it')]);
    expect(migrations(place)).toEqual(moved);
  });

  it('two runs at once, under two names, do not pay for one move twice', async () => {
    await using place = await open(named('acme'));
    const { emulator } = place.harness;
    // Both look at the runs of the other and list, before either sends.
    emulator.addFault({ route: 'zone/ips', fault: { kind: 'delay', ms: 700 } });
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: 1500 } });
    const both = await Promise.all([place.run('apply', '--yes'), place.elsewhere(named('acme-new'), 'apply', '--yes')]);
    expect(migrations(place).length).toBeLessThan(2);
    expect(both.map(({ code }) => code)).toContain(1);
    expect(both.map(({ stdout }) => stdout).join('')).toContain('but no listing shows it');
  });

  it('a move that another name has once made and that was taken back by hand is made again', async () => {
    await using place = await open(named('acme'));
    expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
    place.harness.emulator.move(['192.0.2.10'], 'pricing');
    // Longer than a second: S3 knows ages in whole seconds only.
    await setTimeout(3500);
    expect(await place.elsewhere(named('acme-new'), 'apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrations(place)).toEqual([...moved, ...moved]);
  });

  // A folder and one shared backend show the rest, which no store decides.
  if (server.name === 'PostgreSQL') return;

  it('a front without a name belongs to the only account, and must name one of several', async () => {
    await using place = await open(named('acme'));
    expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
    for (const command of ['plan', 'drift']) {
      expect(await place.elsewhere(declaration, command)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Account: acme'),
      });
    }
    expect(await place.elsewhere(named('other', ''), 'apply', '--yes')).toMatchObject({ code: 0 });
    for (const command of [['plan'], ['apply', '--yes'], ['unlock', '--yes']]) {
      const { code, stderr } = await place.elsewhere(declaration, ...command);
      expect([code, stderr]).toEqual([1, expect.stringContaining('has the accounts acme and other')]);
      expect(stderr).toContain('fix: set `account` in the file');
    }
    expect(await place.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('an account that is named after its first run keeps history, baseline and undo', async () => {
    await using place = await open(declaration);
    expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
    const runs = async () => JSON.parse((await place.run('history', '--format', 'json')).stdout).runs as unknown[];
    await place.harness.write('webdata.yaml', named('acme'));
    expect(await runs()).toHaveLength(1);
    place.harness.emulator.move(['192.0.2.10'], 'pricing');
    // Without the baseline, this would be pending.
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await place.run('drift')).toMatchObject({ code: 2 });
      expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
      place.harness.emulator.move(['192.0.2.10'], 'pricing');
    }
    place.harness.emulator.move(['192.0.2.10'], 'checkout');
    expect(await place.run('undo', '--yes')).toMatchObject({ code: 0 });
    expect(await runs()).toHaveLength(4);
  });

  it('an account that is renamed is named by plan and doctor, and takes its runs and its baseline over', async () => {
    await using place = await open(named('acme'));
    expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
    await place.harness.write('webdata.yaml', named('acme-eu'));
    const remark = 'the account acme-eu has no runs; at the same server, acme has 1 run, the last of ';
    for (const command of ['plan', 'doctor']) {
      const { stdout } = await place.run(command);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(remark);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('run `webdata backend adopt acme`');
    }
    expect(await place.run('backend', 'adopt', 'acme')).toMatchObject({ code: 0, stderr: '' });
    expect((await place.run('plan')).stdout).not.toContain('has no runs');
    place.harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await place.run('drift')).toMatchObject({ code: 2 });
    place.harness.emulator.move(['192.0.2.10'], 'checkout');
    // A file that still has the earlier name is for the same account.
    expect((await place.elsewhere(named('acme'), 'history')).stdout).toContain('apply');
    expect(await place.elsewhere(declaration, 'undo', '--yes')).toMatchObject({ code: 0 });
    expect(await place.run('backend', 'adopt', 'acme')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no other account with the name acme'),
    });
  });

  it.skipIf(server.env === undefined)('runs in the folder are named, until they are pushed', async () => {
    await using place = await open(named('acme'));
    expect(await place.harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const words = async (command: string) => (await place.run(command)).stdout.replaceAll(/\s+/g, ' ');
    for (const command of ['plan', 'doctor']) expect(await words(command)).toContain('run `webdata backend push`');
    expect(await place.run('backend', 'push')).toMatchObject({ code: 0 });
    for (const command of ['plan', 'doctor']) expect(await words(command)).not.toContain('webdata backend push');
    place.harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await place.elsewhere(named('acme'), 'history')).toMatchObject({ stdout: expect.stringContaining('apply') });
    expect(await place.run('drift')).toMatchObject({ code: 2 });
  });

  it('runs of one name at another server are named', async () => {
    await using place = await open(named('acme'));
    await using other = await openDeclared('plain', '');
    expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
    const urls = { WEBDATA_API_URL: other.emulator.apiUrl, WEBDATA_API_KEY: other.emulator.keys.ops };
    const env = { ...server.env?.(), WEBDATA_BACKEND: place.address, ...urls };
    for (const command of [['plan'], ['undo', '--yes'], ['doctor']]) {
      const { stdout, stderr } = await place.harness.webdataWith({ env }, ...command);
      const port = new URL(place.harness.emulator.apiUrl).port;
      expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(`the account acme has runs at loopback:${port}, too`);
    }
  });
}
