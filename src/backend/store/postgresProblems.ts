/** Errors of PostgreSQL as problems. They never quote its messages, which may contain values. */
import pg from 'pg';
import type { Problem } from '../../diagnostics/problem.ts';

/** Returns the problem. With the code `backend-unreachable`, another attempt may succeed, and it is unknown whether the statement was executed. */
export function postgresProblem(address: string, error: unknown): Problem {
  const backend = `backend ${address}`;
  const unreachable = (why: string) => ({
    code: 'backend-unreachable',
    found: `${backend} is unreachable: ${why}`,
    fix: 'check the host, the port and the network, then run the command again',
  });
  if (!(error instanceof pg.DatabaseError)) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (/password|SASL/.test(message)) return denied(`${backend}: the password is missing or wrong`);
    return unreachable(code ?? (/timeout/i.test(message) ? 'no answer in time' : 'the connection broke'));
  }
  const state = error.code ?? '';
  if (uncertainStates.test(state)) return unreachable(`SQLSTATE ${state}`);
  if (state.startsWith('28')) return denied(`${backend}: the user or the password is wrong`);
  if (state.startsWith('425')) return denied(`${backend}: the user has no permission for the table webdata_backend`);
  if (state === '3D000') {
    const fix = 'create the database, or correct its name in the address of the backend';
    return { code: 'backend-absent', found: `${backend}: the database does not exist`, fix };
  }
  if (state === '25006')
    return { code: 'backend-read-only', found: `${backend} is read-only`, fix: 'connect to the primary server' };
  const fix = 'find the reason in the log of the database';
  return { code: 'backend-refused', found: `${backend} refused a statement: SQLSTATE ${state}`, fix };
}

/** A lost connection, too many connections, a server that starts or stops, a statement or transaction that took too long, deadlocks. */
const uncertainStates = /^(08|53300|57P0|57014|25P0[34]|55P03|40)/;

function denied(found: string): Problem {
  const fix =
    'correct the user and the password (in the address, or PGPASSWORD), or grant SELECT, INSERT, UPDATE and DELETE on the table; the first use needs CREATE on the schema';
  return { code: 'backend-denied', found, fix };
}
