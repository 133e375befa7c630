/** A paid move that an earlier run made is not sent again because a listing is old. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateFolderOf } from '../../stateFolder.ts';
import { type Harness, migrationsOf, openHarness } from '../harness.ts';

const journal = '.webdata/journal.jsonl';

function declared(settleSeconds: number, ips = '[192.0.2.10]'): string {
  return `service: { profile: { settleSeconds: ${settleSeconds} } }
zoneIpAllocations: { static: { zones: { checkout: { ips: ${ips} } }, sources: [pricing] } }
`;
}

async function openApplied(settleSeconds: number): Promise<Harness> {
  const harness = await openHarness('plain');
  await harness.write('webdata.yaml', declared(settleSeconds));
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  return harness;
}

/** From now on, as many listings are answered as they were a minute ago. */
function listBackwards({ emulator }: Harness, listings: number): void {
  const occurrence = Array.from({ length: listings }, (_, index) => index + 1);
  emulator.addFault({ route: 'zone/ips', occurrence, fault: { kind: 'stale', ms: 60_000 } });
}

/** The journal and the log of the machine as they were when the run had just sent its call and was killed. */
function killAfterSending(harness: Harness): Promise<void> {
  return dropLines(harness, /"type":"(answered|seen|end)"/);
}

/** The same when the service had accepted the call and nothing was read back. */
function killAfterAnswer(harness: Harness): Promise<void> {
  return dropLines(harness, /"type":"(seen|end)"/);
}

/** Returns the id of the only run. */
async function firstRun(harness: Harness): Promise<string> {
  const [line = ''] = (await harness.read(journal)).split('\n');
  return (JSON.parse(line) as { run: string }).run;
}

function dropLines(harness: Harness, dropped: RegExp): Promise<void> {
  return keepLines(harness, (line) => !dropped.test(line));
}

async function keepLines({ folder }: Harness, isKept: (line: string) => boolean): Promise<void> {
  const machine = join(stateFolderOf(folder).WEBDATA_STATE_FOLDER, 'paid-calls.jsonl');
  for (const file of [join(folder, journal), machine]) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.filter(isKept).join('\n'));
  }
}

it('a move whose IP a later call has moved on was made, and may be made again', async () => {
  await using harness = await openApplied(0.2);
  await killAfterAnswer(harness);
  const move = (from: string, to: string) =>
    harness.webdata('zones', 'migrate', '--from', from, '--to', to, '--yes', '192.0.2.10');
  const run = await firstRun(harness);
  expect(await move('checkout', 'pricing')).toMatchObject({ code: 0 });
  // The look-up of that run saw nothing yet, as when listings show the IP in the middle of a run.
  const isFinding = (line: string) => line.includes(`"type":"seen","run":"${run}"`);
  await keepLines(harness, (line) => !isFinding(line));
  await new Promise((done) => setTimeout(done, 300));
  expect(await move('pricing', 'checkout')).toMatchObject({ code: 0 });
});

describe.concurrent('when listings go backwards', () => {
  it('a second apply reads them again and sends nothing', async () => {
    await using harness = await openApplied(30);
    listBackwards(harness, 4);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('a plan and drift do not show the move again', async () => {
    await using harness = await openApplied(30);
    listBackwards(harness, 4);
    expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    harness.emulator.clearFaults();
    listBackwards(harness, 4);
    expect(await harness.webdata('drift')).toMatchObject({ code: 0 });
  });

  it('an undo still finds what the run moved', async () => {
    await using harness = await openApplied(30);
    listBackwards(harness, 4);
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests())).toEqual(['checkout -> pricing: 192.0.2.10']);
  });

  it('a move by hand is not made twice', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declared(30));
    const args = ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '--yes', '192.0.2.10'];
    expect(await harness.webdata(...args)).toMatchObject({ code: 0 });
    listBackwards(harness, 4);
    const again = await harness.webdata(...args);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Already in checkout: 1 IP')]);
    expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
  });

  it('an apply after a kill does not take one good listing for the truth about the next', async () => {
    await using harness = await openApplied(30);
    await killAfterSending(harness);
    const occurrence = [3, 4, 5, 6];
    harness.emulator.addFault({ route: 'zone/ips', occurrence, fault: { kind: 'stale', ms: 60_000 } });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('somebody else’s move back is seen once listings no longer lag', async () => {
    await using harness = await openApplied(1);
    harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  });
});

describe.concurrent('a move that was accepted and that no listing shows', () => {
  async function openUnseen(): Promise<Harness> {
    const harness = await openApplied(1);
    await killAfterAnswer(harness);
    harness.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });
    return harness;
  }

  it.each([
    [['apply', '--yes']],
    [['plan']],
    [['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '--yes', '192.0.2.10']],
  ])('stops %j with the run, the IP and the way to override', async (args) => {
    await using harness = await openUnseen();
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, stdout, stderr } = await harness.webdata(...args);
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(
        /run [\da-f]{8} moved 1 IP from pricing to checkout: the service accepted the call/,
      );
      expect(stdout + stderr).toContain('but no listing shows it: 192.0.2.10');
      expect(stdout + stderr).toContain('--resend sends the move again');
    }
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('is sent again with --resend, once', async () => {
    await using harness = await openApplied(1);
    await killAfterAnswer(harness);
    harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    expect(await harness.webdata('apply', '--yes', '--resend')).toMatchObject({ code: 0 });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  });

  it('is not replaced by another IP of its count while it is in neither zone', async () => {
    await using harness = await openHarness('plain');
    const settings = 'service: { profile: { settleSeconds: 1 } }';
    const zones = '{ zones: { checkout: { count: { us: 6 } } }, spare: parked }';
    await harness.write('webdata.yaml', `${settings}\nzoneIpAllocations: { static: ${zones} }\n`);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const sent = migrationsOf(harness.emulator.requests());
    await killAfterAnswer(harness);
    // This run reads neither of the zones that would show it.
    harness.emulator.move(['198.51.100.30'], 'old-pricing');
    const { code, stdout } = await harness.webdata('apply', '--yes');
    expect(stdout).toContain('but no listing shows it: 198.51.100.30');
    expect(code).toBe(1);
    expect(migrationsOf(harness.emulator.requests())).toEqual(sent);
  });

  it('does not stop what has nothing to do with it', async () => {
    await using harness = await openUnseen();
    await harness.write(
      'webdata.yaml',
      'service: { profile: { settleSeconds: 1 } }\nmanagerSettings: { local: { logs: 500 } }\n',
    );
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  });

  it('is in the way no longer once a listing shows it', async () => {
    await using harness = await openUnseen();
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    harness.emulator.clearFaults();
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });
});

describe.concurrent('after a call that the service failed to answer', () => {
  it.each([
    [503, { retryAfter: 1 }, 'No IP of this call moved. Run the command again later. The service asks to wait 1 s.'],
    [500, {}, 'No IP of this call moved. Run the command again later.'],
    // A gateway gave up: the service may still move it.
    [
      502,
      {},
      'It is unknown whether the call took effect: run `webdata apply` again, it looks first and sends nothing twice.',
    ],
  ])('%d says what is known of its IPs', async (status, more, fix) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declared(1));
    harness.emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'status', status, ...more } });
    const { code, stdout } = await harness.webdata('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(fix);
    expect(stdout.includes('is unknown whether')).toBe(status === 502);
  });
});
