/** How a deletion of ports is compared, counted and worded, and what is known about the ports afterwards. */

import { describe, expect, it } from 'vitest';
import type { SentCall } from '../../../../src/kinds/call.ts';
import type { PlanMode } from '../../../../src/kinds/callWords.ts';
import { deletePorts } from '../../../../src/kinds/managerSettings/calls/deletePorts.ts';
import type { DeletePortsCall } from '../../../../src/kinds/managerSettings/calls/managerCalls.ts';
import { deletePortsWords } from '../../../../src/kinds/managerSettings/calls/words.ts';
import { manager, portsCall } from '../../../report/samples.ts';
import { totalWords } from '../../totalWords.ts';

const at = '2026-07-01T10:00:00.000Z';
const single = { ...portsCall, ports: [24_010] };

it('has the same key for the same ports, whether they are shown or not', () => {
  const key = deletePorts.key(portsCall);
  expect(deletePorts.key({ ...portsCall, ports: portsCall.ports.toReversed(), observed: false })).toBe(key);
  expect(deletePorts.key(single)).not.toBe(key);
  expect(deletePorts.key({ ...portsCall, manager: 'http://m:1' })).not.toBe(key);
  expect(deletePorts.key({ ...portsCall, ports: [9, 10] })).toBe(deletePorts.key({ ...portsCall, ports: [10, 9] }));
  expect(deletePorts.target(portsCall)).toBe(`manager ${manager}`);
});

it('is drift only if the ports are shown', () => {
  expect(deletePorts.isObserved(portsCall)).toBe(true);
  expect(deletePorts.isObserved({ ...portsCall, observed: false })).toBe(false);
});

it('is described port by port', () => {
  expect(deletePortsWords.describe(portsCall, [])).toEqual({
    subject: 'ports',
    place: manager,
    changes: [
      { kind: 'remove', name: 'port', before: '24010', isForbidden: true },
      { kind: 'remove', name: 'port', before: '24011', isForbidden: true },
    ],
    items: ['24010', '24011'],
  });
  expect(deletePorts.changes(single)).toEqual([{ path: ['ports', 24_010], kind: 'remove', before: 24_010 }]);
});

it.each<[PlanMode, string, string, string]>([
  ['plan', 'port 24010 is deleted', '1 port is deleted', '2 ports are deleted'],
  ['destroy', 'port 24010 is deleted', '1 port is deleted', '2 ports are deleted'],
  ['drift', 'port 24010 is live but declared absent', '1 port exists that must not', '2 ports exist that must not'],
])('is worded for a %s', (mode, text, one, many) => {
  expect(deletePortsWords.differences(single, [], mode)).toEqual([{ key: ['port', '24010'], text }]);
  expect([...totalWords([single], mode), ...totalWords([portsCall], mode)]).toEqual([one, many]);
});

it('is counted by port and manager', () => {
  expect(totalWords([single])).toEqual(['1 port deleted']);
  expect(totalWords([portsCall, single])).toEqual(['2 ports deleted']);
  expect(totalWords([portsCall, { ...single, manager: 'http://m:1' }])).toEqual(['3 ports deleted']);
});

it('is not undone', () => {
  expect(deletePorts.invert(portsCall)).toEqual({
    calls: [],
    notes: [{ code: 'left-as-is', text: 'deleted ports cannot be restored: 24010, 24011' }],
  });
});

describe('the journal knows that ports are gone', () => {
  const failed = (effect: 'none' | 'unknown') => ({ failed: { at, code: 'refused', message: 'no', effect } });

  it.each<[string, DeletePortsCall, Partial<SentCall<DeletePortsCall>>, string[] | undefined]>([
    ['after an answer', portsCall, { answered: { at } }, ['24010', '24011']],
    ['not without an answer', portsCall, {}, undefined],
    ['not after a refusal of several ports', portsCall, failed('none'), undefined],
    ['after a refusal of one port, which does not exist then', single, failed('none'), ['24010']],
    ['not after a failure whose effect is unknown', single, failed('unknown'), undefined],
  ])('%s', (_, call, sent, items) => {
    const facts = deletePorts.facts({ call, sentAt: at, ...sent });
    expect(facts).toEqual(items && { topic: `deleted ports of ${manager}`, items });
  });
});
