/** The outcome and the effect of a migration of two IPs, from all that may be known about it. */
import { describe, expect, it } from 'vitest';
import type { SentCall } from '../../../../src/kinds/seam/call.ts';
import type { MigrateCall } from '../../../../src/kinds/zoneIpAllocation/calls/migrateCall.ts';
import { migrateResult } from '../../../../src/kinds/zoneIpAllocation/calls/migrateResult.ts';
import { migrate, refusal, seen } from '../../../report/samples.ts';

const at = '2026-07-01T10:00:00.000Z';
const [first, second] = ['192.0.2.1', '192.0.2.2'];
const call = migrate('pricing', 'checkout', [first, second]);
const sent = (known: Partial<SentCall<MigrateCall>>) => ({ call, sentAt: at, ...known });

const answered = (count?: number) => ({ answered: { at, ...(count !== undefined && { count }) } });
const refused = { failed: refusal };
const lost = { failed: { ...refusal, effect: 'unknown' as const } };
const both = { seen: seen(call) };
const one = { seen: seen(call, { notMoved: [second] }) };
const none = { seen: seen(call, { notMoved: [first, second] }) };
const hidden = { seen: seen(call, { notVisible: [second] }) };
const away = { seen: seen(call, { elsewhere: [first, second] }) };
const final = { seen: { ...none.seen, final: true } };

describe('a migration', () => {
  it.each([
    ['no answer', {}, 'unknown', 0],
    ['a full answer', answered(2), 'accepted', 2],
    ['an answer that counts one', answered(1), 'accepted', 0],
    ['an answer that counts none', answered(0), 'refused', 0],
    ['an answer that counts none, with both at their target', { ...answered(0), ...both }, 'refused', 0],
    ['an answer without a count', answered(), 'accepted', 0],
    ['an answer without a count, and one not moved', { ...answered(), ...one }, 'accepted', 1],
    ['an answer that counts one, and none moved', { ...answered(1), ...none }, 'accepted', 0],
    ['a refusal', refused, 'refused', 0],
    ['a lost answer', lost, 'unknown', 0],
    ['a lost answer, and both moved', { ...lost, ...both }, 'done', 2],
    ['a lost answer, and one moved', { ...lost, ...one }, 'partly', 1],
    ['a lost answer, and one not visible', { ...lost, ...hidden }, 'unknown', 1],
    ['a lost answer, and none moved', { ...lost, ...none }, 'refused', 0],
    ['a lost answer, and none moved when it was looked up later', { ...lost, ...final }, 'unknown', 0],
    ['no answer at all, and none moved when it was looked up later', final, 'refused', 0],
    ['a full answer, and one not moved', { ...answered(2), ...one }, 'accepted', 1],
    ['a full answer, and both elsewhere', { ...answered(2), ...away }, 'partly', 0],
    ['an answer that counts one, and one moved', { ...answered(1), ...one }, 'partly', 1],
  ])('with %s', (_, known: Partial<SentCall<MigrateCall>>, outcome, moved) => {
    const result = migrateResult(sent(known));
    expect(result.outcome).toBe(outcome);
    expect(result.effect?.moves.length ?? 0).toBe(moved);
  });
});
