/** A 2xx accepts a paid move, whatever its body says or does not say: no front sends the move again because listings lag. */
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../../src/emulator/index.ts';
import { apply as applyInProgram } from '../../../src/index.ts';
import { type Harness, migrationsOf, openDeclared } from '../harness.ts';

const ips = ['192.0.2.10', '192.0.2.11'];
const declaration = `zoneIpAllocations: { static: { zones: { checkout: { ips: [${ips.join(', ')}] } }, sources: [pricing] } }`;
const move = `pricing -> checkout: ${ips.join(' ')}`;
const migrateByHand = ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '--yes', ...ips];

const accepted = (status: number, body: unknown) => ({ kind: 'status', status, body, when: 'after' }) as const;
const answers: [string, FaultInput['fault']][] = [
  ['202 without a body', accepted(202, '')],
  ['204', accepted(204, '')],
  ['200 without a count', accepted(200, { status: 'queued' })],
  ['200 with a text', accepted(200, 'accepted')],
  ['200 with a list', accepted(200, [])],
  ['a count of one IP', { kind: 'short-report', count: 1 }],
  ['a count of too many IPs', { kind: 'short-report', count: 9 }],
  ['an HTML page', { kind: 'html', when: 'after' }],
  ['half an answer', { kind: 'truncated' }],
  ['malformed JSON', { kind: 'malformed' }],
];

async function open(answer: FaultInput['fault']): Promise<Harness> {
  const harness = await openDeclared('plain', declaration);
  harness.emulator.addFault({ route: 'zone/ips/migrate', fault: answer });
  return harness;
}

/** From now on, no listing shows what was moved. */
function hideMoves({ emulator }: Harness): void {
  emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });
}

const fronts: Record<string, (harness: Harness) => Promise<number>> = {
  apply: async ({ webdata }) => (await webdata('apply', '--yes')).code,
  'zones migrate': async ({ webdata }) => (await webdata(...migrateByHand)).code,
  'a program': async ({ folder: cwd, emulator }) => {
    const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops };
    const { status } = await applyInProgram({ cwd, env });
    return status === 'applied' ? 0 : 1;
  },
};

it.each(answers)('a move that was answered with %s is not sent again by any front', async (_, answer) => {
  await using harness = await open(answer);
  hideMoves(harness);
  expect(await fronts.apply?.(harness)).toBe(1);
  for (const again of Object.values(fronts)) expect(await again(harness)).toBe(1);
  const { stdout } = await harness.webdata('plan');
  expect(stdout).toContain('accepted the call');
  expect(stdout).not.toMatch(/stayed|not moved/);
  expect(migrationsOf(harness.emulator.requests())).toEqual([move]);
});

it.each(
  Object.entries(fronts),
)('a move that %s sent without learning a count is sent by no other front', async (_, send) => {
  await using harness = await open(accepted(202, ''));
  hideMoves(harness);
  expect(await send(harness)).toBe(1);
  for (const again of Object.values(fronts)) expect(await again(harness)).toBe(1);
  expect(migrationsOf(harness.emulator.requests())).toEqual([move]);
});

it('an undo without a count is not sent again', async () => {
  await using harness = await openDeclared('plain', declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  harness.emulator.addFault({ route: 'zone/ips/migrate', fault: accepted(202, '') });
  harness.emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'lag', lag: { ms: 60_000 } } });
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 1 });
  expect(migrationsOf(harness.emulator.requests())).toEqual([move, `checkout -> pricing: ${ips.join(' ')}`]);
});

describe('a count of one of two IPs', () => {
  it('says that the other stayed once the listing shows which one arrived', async () => {
    await using harness = await open({ kind: 'short-move', moves: 1 });
    const failed = await harness.webdata('apply', '--yes');
    expect(failed.stdout).toContain('192.0.2.11 stayed in pricing');
    harness.emulator.clearFaults();
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests())).toEqual([move, 'pricing -> checkout: 192.0.2.11']);
  });

  it('says so to a later run, too', async () => {
    await using harness = await open({ kind: 'short-move', moves: 1 });
    hideMoves(harness);
    const failed = await harness.webdata('apply', '--yes');
    expect(failed.stdout).toContain(
      'the service says that it moved 1; not visible in checkout yet: 192.0.2.10, 192.0.2.11',
    );
    harness.emulator.clearFaults();
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests())).toEqual([move, 'pricing -> checkout: 192.0.2.11']);
  });
});

it('a 200 that reports an error accepts nothing', async () => {
  await using harness = await open({ kind: 'status', status: 200, body: { error: 'try again' } });
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
  harness.emulator.clearFaults();
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
});
