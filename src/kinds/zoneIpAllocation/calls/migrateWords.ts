/** The words, totals and JSON of `POST /zone/ips/migrate`. */
import { z } from 'zod';
import { counted, does } from '../../../base/diagnostics/valueWords.ts';
import { once } from '../../../base/values/once.ts';
import type { CallTotal, CallWords, PlanMode } from '../../seam/callWords.ts';
import { type MigrateCall, migrateSchema, moveSchema } from './migrateCall.ts';

const document = {
  schema: once(() =>
    migrateSchema(z.object)
      .omit({ moves: true })
      .extend({
        ips: z
          .array(moveSchema(z.object).omit({ from: true, to: true }).describe('One IP that moves.'))
          .describe('The IPs that move.'),
      })
      .describe('`POST /zone/ips/migrate`.'),
  ),
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

const ips: CallTotal<MigrateCall> = {
  name: 'ips',
  description: { plan: 'Distinct IPs that move.', run: 'Distinct IPs that are known to have moved.' },
  count: (calls) => new Set(calls.flatMap(({ moves }) => moves.map(({ ip }) => ip))).size,
  words: {
    planned: (count, calls, mode) => planned[mode](count, calls),
    done: (count, calls) => `${counted(count, 'IP')} moved in ${counted(calls, 'call')}`,
  },
  // Allocations that share a spare can move an IP twice, which is charged twice.
  detail: (calls, count) => {
    const moves = calls.reduce((sum, call) => sum + call.moves.length, 0);
    return moves > count ? `${counted(moves, 'move')} in all` : undefined;
  },
};

const migrateCalls: CallTotal<MigrateCall> = {
  name: 'migrateCalls',
  description: { plan: 'The calls that move them.', run: 'The calls that moved them.' },
  count: (calls) => calls.length,
};

export const migrateWords: CallWords<MigrateCall> = {
  section: { id: 'moves', title: 'Moves' },
  noEffect: 'nothing moved',
  describe: ({ to }) => ({ subject: to, changes: [], items: [] }),
  totals: [ips, migrateCalls],
  document,
};
