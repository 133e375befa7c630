/** `POST /zone/ips/migrate` as a type of call (specification, D3). */
import { z } from 'zod';
import { counted, does } from '../../input/values.ts';
import type { MigrateCall } from '../call.ts';
import type { CallTotal, CallType, ObjectBuilder, PlanMode } from '../callType.ts';

function moveSchema(object: ObjectBuilder) {
  return object({
    ip: z.string().describe('Its address.'),
    country: z.string().describe('From the database that the service profile names, in lower case.'),
    from: z.string().describe('The zone that gives it.'),
    to: z.string().describe('The zone that receives it.'),
    reason: z
      .enum(['declared', 'count', 'surplus', 'released'])
      .describe(
        'Declared by address, fills a count, exceeds a count, or released because it is unmanaged or the declaration is destroyed.',
      ),
  }).describe('One IP that moves.');
}

function schema(object: ObjectBuilder) {
  return object({
    type: z.literal('migrate').describe('IPs move between two zones.'),
    from: z.string().describe('The zone that gives.'),
    to: z.string().describe('The zone that receives.'),
    moves: z.array(moveSchema(object)).describe('The IPs that move.'),
  }).describe('`POST /zone/ips/migrate`.');
}

const document = {
  schema: schema(z.object)
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
  schema,
  document,
  key: ({ from, to, moves }) => JSON.stringify([from, to, ...moves.map(({ ip }) => ip).toSorted()]),
  billed: true,
  section: { id: 'moves', title: 'Moves' },
  noEffect: 'nothing moved',
  describe: ({ from, to, moves }) => ({ subject: to, flow: { from, to, moves }, changes: [], items: [] }),
  differences: () => [],
  totals: [ips, migrateCalls],
} satisfies CallType<MigrateCall>;
