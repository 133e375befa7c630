/** `POST /zone/ips/migrate` as a type of call (specification, D3). */

import { accountView } from '../../seam/accountView.ts';
import type { CallType } from '../../seam/callType.ts';
import { concurrencyKeys } from '../../seam/concurrencyKey.ts';
import { type MigrateCall, migrateSchema } from './migrateCall.ts';
import { migrateResult } from './migrateResult.ts';
import { reconcileMoves } from './reconcileMoves.ts';
import { undoMoves } from './undoMoves.ts';

function inverse({ type, from, to, moves }: MigrateCall): MigrateCall {
  const back = moves.map((move) => ({ ...move, from: to, to: from, reason: 'declared' as const }));
  return { type, from: to, to: from, moves: back };
}

export const migrate = {
  type: 'migrate',
  schema: migrateSchema,
  key: ({ from, to, moves }) => JSON.stringify([from, to, ...moves.map(({ ip }) => ip).toSorted()]),
  target: () => concurrencyKeys.account,
  billed: true,
  flow: ({ from, to, moves }) => ({ from, to, moves }),
  result: migrateResult,
  facts: () => undefined,
  isObserved: () => true,
  changes: () => [],
  expect: (call, views) => views.view(accountView).expect(call),
  reconcile: reconcileMoves,
  invert: (call) => ({ calls: [inverse(call)], notes: [] }),
  undo: undoMoves,
} satisfies CallType<MigrateCall>;
