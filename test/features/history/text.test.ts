import { describe, expect, it } from 'vitest';
import type { JournaledCall } from '../../../src/engine/run/journal.ts';
import { historyText } from '../../../src/features/history/text.ts';
import {
  addresses,
  allocationId,
  journaled,
  migrate,
  portsCall,
  refusal,
  run,
  seen,
  settingsCall,
  settingsId,
  timeout,
} from '../../report/samples.ts';

const at = '2026-07-01T10:00:01.000Z';
const plain = { color: false, width: 200 };
const call = migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11', '192.0.2.9']);

describe('the text of the history', () => {
  it('shows the newest run first, each with its calls', () => {
    const moved = journaled(allocationId, call, { answered: { at, count: 3 }, seen: seen(call) });
    const back = journaled(allocationId, migrate('checkout', 'pricing', ['192.0.2.10']));
    const runs = [
      run(
        '7f3a9c01-5d0e-4c2b-9a51-0d3c7f1b2a44',
        [moved, journaled(settingsId, settingsCall, { answered: { at }, seen: { at, took: true } })],
        { ended: { at, result: 'done' } },
      ),
      run('1b2c3d4e-0000-4000-8000-000000000000', [], {
        ended: { at, result: 'failed' },
        startedAt: '2026-07-02T08:30:00.000Z',
      }),
      run('99aa88bb-0000-4000-8000-000000000000', [back], {
        command: 'undo',
        undoes: '7f3a9c01-5d0e-4c2b-9a51-0d3c7f1b2a44',
        startedAt: '2026-07-03T09:00:00.000Z',
      }),
    ];
    expect([...historyText(runs, plain)].join('')).toMatchInlineSnapshot(`
      "99aa88bb  2026-07-03T09:00:00Z  undo  interrupted  https://api.example.com  (undoes 7f3a9c01)
        zoneIpAllocations.static
          1 IP  from checkout  to pricing  outcome unknown   192.0.2.10 us

      1b2c3d4e  2026-07-02T08:30:00Z  apply  failed  https://api.example.com
        no calls

      7f3a9c01  2026-07-01T10:00:00Z  apply  done  https://api.example.com
        zoneIpAllocations.static
          3 IPs  from pricing  to checkout  done   192.0.2.10 us, 192.0.2.11 us, 192.0.2.9 us
        managerSettings.local  http://127.0.0.1:22999
          settings  done   logs 1000 → 500, whitelistIps -10.0.0.9, whitelistIps +10.0.0.0/8
      "
    `);
  });

  it('says that there are none', () => {
    expect([...historyText([], plain)].join('')).toBe('No runs.\n');
  });
});

describe('what became of a call', () => {
  /** The line of the call, from its outcome on. */
  const told = (id: typeof allocationId, its: JournaledCall['call'], answer: Partial<JournaledCall>) => {
    const line =
      [...historyText([run('7f3a9c01', [journaled(id, its, answer)])], plain)].join('').trimEnd().split('\n').at(-1) ??
      '';
    return line.replace(/^ {4}(\d+ IPs? {2}from \S+ {2}to \S+|\S+) {2}/, '');
  };
  const ips = '   192.0.2.10 us, 192.0.2.11 us, 192.0.2.9 us';
  const changes = '   logs 1000 → 500, whitelistIps -10.0.0.9, whitelistIps +10.0.0.0/8';
  const answered = { at, count: 3 };

  it.each<[string, Partial<JournaledCall>]>([
    [`done${ips}`, { answered, seen: seen(call) }],
    [`accepted, not read back${ips}`, { answered }],
    [
      'accepted: 2 of 3 IPs moved; 192.0.2.9 is not visible yet',
      { answered, seen: seen(call, { notVisible: ['192.0.2.9'] }) },
    ],
    [
      'partly: 2 of 3 IPs moved; 192.0.2.9 stayed in pricing',
      { answered: { at, count: 2 }, seen: seen(call, { notMoved: ['192.0.2.9'] }) },
    ],
    [
      'partly: 1 of 3 IPs moved; 192.0.2.10, 192.0.2.9 were moved away by another user',
      { answered: { at, count: 1 }, seen: seen(call, { elsewhere: ['192.0.2.10', '192.0.2.9'] }) },
    ],
    [`refused (${refusal.message}), nothing moved${ips}`, { failed: refusal }],
    [
      'nothing moved: 192.0.2.10, 192.0.2.11, 192.0.2.9 stayed in pricing',
      { answered: { at, count: 0 }, seen: seen(call, { notMoved: call.moves.map(({ ip }) => ip) }) },
    ],
    [
      'nothing moved: 192.0.2.9 stayed in pricing; 192.0.2.10, 192.0.2.11 were moved to checkout by another user',
      { answered: { at, count: 0 }, seen: seen(call, { notMoved: ['192.0.2.9'] }) },
    ],
    [`outcome unknown${ips}`, {}],
    [`outcome unknown (${timeout.message})${ips}`, { failed: timeout }],
    [`accepted (the service counted 2 of 3 IPs), not read back${ips}`, { answered: { at, count: 2 } }],
  ])('%s', (words, answer) => {
    expect(told(allocationId, call, answer)).toBe(words);
  });

  it.each<[string, Partial<JournaledCall>]>([
    [`done${changes}`, { answered: { at }, seen: { at, took: true } }],
    [`not applied in full${changes}`, { answered: { at }, seen: { at, took: false } }],
    [`refused (${refusal.message}), nothing changed${changes}`, { failed: refusal }],
  ])('%s', (words, answer) => {
    expect(told(settingsId, settingsCall, answer)).toBe(words);
  });

  it('is told of ports too', () => {
    expect(told(settingsId, portsCall, { answered: { at } })).toBe('accepted, not read back   24010, 24011');
    expect(told(settingsId, portsCall, { failed: refusal })).toBe(
      `refused (${refusal.message}), nothing deleted   24010, 24011`,
    );
  });

  it('names the first of many IPs', () => {
    const many = migrate('pricing', 'checkout', addresses(100));
    expect(
      told(allocationId, many, { answered: { at, count: 0 }, seen: seen(many, { notMoved: addresses(100) }) }),
    ).toBe(
      'nothing moved: 198.18.0.0, 198.18.0.1, 198.18.0.2, 198.18.0.3, 198.18.0.4, 198.18.0.5, … and 94 more stayed in pricing',
    );
  });
});
