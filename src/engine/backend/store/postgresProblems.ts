/** Failures of PostgreSQL as problems of a backend. */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { type PostgresFailure, postgresFailure } from '../../../base/drivers/postgresFailure.ts';

/** Returns the problem. With the code `backend-unreachable`, another attempt may succeed, and it is unknown whether the statement was executed. */
export function postgresProblem(address: string, error: unknown): Problem {
  const { kind, cause, fix = defaultFix[kind] }: PostgresFailure = postgresFailure(error) ?? brokenConnection;
  const found = kind === 'away' ? `backend ${address} is unreachable: ${cause}` : `backend ${address}: ${cause}`;
  return { ...problems[kind], found, fix: fix ?? 'find the reason in the log of the database' };
}

type Kind = PostgresFailure['kind'];

const brokenConnection: PostgresFailure = { kind: 'away', cause: 'the connection broke' };

const problems: Readonly<Record<Kind, { code: string }>> = {
  away: { code: 'backend-unreachable' },
  full: { code: 'backend-full' },
  'read-only': { code: 'backend-read-only' },
  denied: { code: 'backend-denied' },
  'no-permission': { code: 'backend-denied' },
  'no-database': { code: 'backend-absent' },
  'refused-parameter': { code: 'backend-refused' },
  'wrong-encoding': { code: 'backend-unsuitable' },
  tls: { code: 'backend-tls' },
  refused: { code: 'backend-refused' },
};

const defaultFix: Partial<Record<Kind, string>> = {
  away: 'check the host, the port and the network, then run the command again',
};
