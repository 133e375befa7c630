/** `POST /zone/ips/migrate` as a type of call (specification, D3). */
import { z } from 'zod';
import { counted, does } from '../../../diagnostics/valueWords.ts';
import type { CallOutcome, SentCall } from '../../call.ts';
import type { CallTotal, CallType, PlanMode } from '../../callType.ts';
import { concurrencyKeys } from '../../concurrencyKey.ts';
import { type MigrateCall, migrateSchema, moveSchema } from './migrateCall.ts';
import { undoMoves } from './undoMoves.ts';

const document = {
  schema: migrateSchema(z.object)
    .omit({ moves: true })
    .extend({
      ips: z
        .array(moveSchema(z.object).omit({ from: true, to: true }).describe('One IP that moves.'))
        .describe('The IPs that move.'),
    })
    .describe('`POST /zone/ips/migrate`.'),
  of: ({ type, from, to, moves }: MigrateCall) => ({
    type,
    from,
    to,
    ips: moves.map(({ ip, country, reason }) => ({ ip, country, reason })),
  }),
};

const planned: Record<PlanMode, (ips: number, calls: number) => string> = {
  plan: (ips, calls) => `${does(ips, 'IP', 'moves', 'move')} in ${counted(calls, 'call')}`,
  drift: (ips) => does(ips, 'IP', 'is not where it is declared', 'are not where they are declared'),
  destroy: (ips, calls) => `${does(ips, 'IP', 'is released', 'are released')} in ${counted(calls, 'call')}`,
  undo: (ips, calls) => `${does(ips, 'IP', 'moves back', 'move back')} in ${counted(calls, 'call')}`,
};

function outcome({ call, answered, failed, seen }: SentCall<MigrateCall>): CallOutcome {
  const requested = call.moves.length;
  // The service says itself that it moved nothing: IPs at their target were moved there by something else.
  if (failed?.effect === 'none' || answered?.count === 0) return 'refused';
  if (seen && 'moved' in seen) {
    if (seen.moved.length === requested) return 'done';
    if (answered?.count === requested && seen.elsewhere.length === 0) return 'accepted';
    if (seen.notVisible.length > 0) return 'unknown';
    if (seen.moved.length > 0 || seen.elsewhere.length > 0) return 'partly';
    return seen.final && failed?.effect === 'unknown' ? 'unknown' : 'refused';
  }
  return answered?.count === requested ? 'accepted' : 'unknown';
}

/** The IPs that a read-back showed at their target; without a read-back, all of a call that was accepted in full. */
function effect(sent: SentCall<MigrateCall>): MigrateCall | undefined {
  const { call, seen } = sent;
  const result = outcome(sent);
  if (result === 'refused') return undefined;
  if (seen === undefined || !('moved' in seen)) return result === 'accepted' ? call : undefined;
  const moved = new Set(seen.moved);
  const moves = call.moves.filter(({ ip }) => moved.has(ip));
  return moves.length === 0 ? undefined : { ...call, moves };
}

function inverse({ type, from, to, moves }: MigrateCall): MigrateCall {
  const back = moves.map((move) => ({ ...move, from: to, to: from, reason: 'declared' as const }));
  return { type, from: to, to: from, moves: back };
}

const ips: CallTotal<MigrateCall> = {
  name: 'ips',
  description: { plan: 'Distinct IPs that move.', run: 'Distinct IPs that are known to have moved.' },
  count: (calls) => new Set(calls.flatMap(({ moves }) => moves.map(({ ip }) => ip))).size,
  words: {
    planned: (count, calls, mode) => planned[mode](count, calls),
    done: (count, calls) => `${counted(count, 'IP')} moved in ${counted(calls, 'call')}`,
  },
};

const migrateCalls: CallTotal<MigrateCall> = {
  name: 'migrateCalls',
  description: { plan: 'The calls that move them.', run: 'The calls that moved them.' },
  count: (calls) => calls.length,
};

export const migrate = {
  type: 'migrate',
  schema: migrateSchema,
  document,
  key: ({ from, to, moves }) => JSON.stringify([from, to, ...moves.map(({ ip }) => ip).toSorted()]),
  target: () => concurrencyKeys.account,
  billed: true,
  outcome,
  effect,
  expect: (call, { account }) => account.expect(call),
  invert: (call) => [inverse(call)],
  undo: undoMoves,
  section: { id: 'moves', title: 'Moves' },
  noEffect: 'nothing moved',
  describe: ({ from, to, moves }) => ({ subject: to, flow: { from, to, moves }, changes: [], items: [] }),
  differences: () => [],
  totals: [ips, migrateCalls],
} satisfies CallType<MigrateCall>;
