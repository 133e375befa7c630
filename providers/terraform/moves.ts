/** The moves of a plan, in one line for each pair of zones. The state keeps the lines, so they name only what an apply cannot choose otherwise. */

import { movesOf } from '../../src/kinds/knownCalls.ts';
import type { Call } from '../../src/kinds/seam/call.ts';

type Move = ReturnType<typeof movesOf>[number];

/** The attributes of a resource about its moves. */
export interface MoveAttributes {
  /** By `pricing -> checkout`: `2 IPs: 198.18.1.10 us, 198.18.1.11 us`, or `9 IPs: 6 us, 3 de` where any IPs of these countries will do. */
  moved: Record<string, string>;
  billableMoves: number;
}

/** The attributes of a resource that moves nothing. */
export const noMoves: MoveAttributes = { moved: {}, billableMoves: 0 };

export function plannedMoves(calls: readonly Call[]): MoveAttributes {
  const moves = calls.flatMap(movesOf);
  const pairs = [...Map.groupBy(moves, ({ from, to }) => `${from} -> ${to}`).entries()];
  return {
    moved: Object.fromEntries(pairs.sort().map(([pair, group]) => [pair, wordsOf(group)])),
    billableMoves: moves.length,
  };
}

const mostNamed = 8;

/** Resources that are planned in another order may fill a count with other IPs, so only declared IPs are named. */
function wordsOf(moves: readonly Move[]): string {
  const count = `${moves.length} IP${moves.length === 1 ? '' : 's'}`;
  const isNamed = moves.length <= mostNamed && moves.every(({ reason }) => reason === 'declared');
  return `${count}: ${(isNamed ? moves.map(named) : countriesOf(moves)).join(', ')}`;
}

function named({ ip, country }: Move): string {
  return country === '' ? ip : `${ip} ${country}`;
}

function countriesOf(moves: readonly Move[]): string[] {
  const groups = [...Map.groupBy(moves, ({ country }) => country || 'of unknown country').entries()];
  return groups.sort().map(([country, group]) => `${group.length} ${country}`);
}
