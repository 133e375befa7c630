/** The meaning of errors of PostgreSQL, of a pooler before it, and of the connection. Messages are never quoted: they may contain values. */
import pg from 'pg';

export interface PostgresFailure {
  /** `away`: another attempt may succeed, and it is unknown whether the statement was executed. */
  kind:
    | 'away'
    | 'full'
    | 'read-only'
    | 'denied'
    | 'no-permission'
    | 'no-database'
    | 'refused-parameter'
    | 'wrong-encoding'
    | 'tls'
    | 'refused';
  cause: string;
  /** The way to mend it; undefined if time or the log of the database may. */
  fix?: string;
}

/** The database has another encoding than UTF-8. */
export class WrongEncoding extends Error {
  override readonly name = 'WrongEncoding';
}

/** Returns undefined for errors of this program. */
export function postgresFailure(error: unknown): PostgresFailure | undefined {
  if (error instanceof WrongEncoding)
    return { kind: 'wrong-encoding', cause: `its encoding is ${error.message}, not UTF8`, fix: fixes.encoding };
  return error instanceof pg.DatabaseError ? databaseFailure(error) : connectionFailure(error);
}

function databaseFailure({ code: state = '', message }: pg.DatabaseError): PostgresFailure {
  // Older versions of PgBouncer report all of its own errors with this code.
  if (state === '08P01') return poolerFailure(message);
  if (away.test(state)) return { kind: 'away', cause: `SQLSTATE ${state}` };
  if (state === '53100') return { kind: 'full', cause: 'no space is left on its disk', fix: fixes.full };
  if (state === '25006') return { kind: 'read-only', cause: 'it is read-only', fix: fixes.readOnly };
  if (state === '3D000') return noDatabase;
  if (state.startsWith('28'))
    return /no encryption|SSL off/.test(message)
      ? { kind: 'tls', cause: 'it requires TLS', fix: fixes.needsTls }
      : denied;
  if (state === '42501')
    return { kind: 'no-permission', cause: 'the user has no permission for its tables', fix: fixes.permission };
  if (['42704', '22023'].includes(state))
    return { kind: 'refused-parameter', cause: 'it refuses a setting', fix: fixes.parameter };
  return { kind: 'refused', cause: `it refused a statement: SQLSTATE ${state}` };
}

/** A lost connection, too many connections, a server that starts or stops, a statement or transaction that took too long, deadlocks. */
const away = /^(08|53300|57P0|57014|25P0[34]|55P03|40)/;

function poolerFailure(message: string): PostgresFailure {
  if (/unsupported startup parameter/.test(message))
    return { kind: 'refused-parameter', cause: 'its pooler refuses a parameter of the address', fix: fixes.parameter };
  if (/no such database|database .* does not exist/.test(message)) return noDatabase;
  if (/no such user|authentication failed|role .* does not exist/.test(message)) return denied;
  return { kind: 'away', cause: 'its pooler has no connection to the database' };
}

function connectionFailure(error: unknown): PostgresFailure | undefined {
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (/does not support SSL/.test(message)) return { kind: 'tls', cause: 'it does not offer TLS', fix: fixes.noTls };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return { kind: 'tls', cause: `its certificate is not accepted (${code})`, fix: fixes.certificate };
  if (/SASL|password must be/.test(message)) return denied;
  if (/^E[A-Z]+$/.test(code)) return { kind: 'away', cause: code };
  if (/timeout|timed out/i.test(message)) return { kind: 'away', cause: 'no answer in time' };
  if (/Connection terminated|connection error|pool after calling end|client was closed/i.test(message))
    return { kind: 'away', cause: 'the connection broke' };
  return undefined;
}

const fixes = {
  full: 'free space on the disk of the database',
  readOnly: 'connect to the primary server',
  encoding: 'name a database that was created with ENCODING UTF8 and TEMPLATE template0',
  permission:
    'grant the user SELECT, INSERT, UPDATE and DELETE on its tables and USAGE on its sequences; CREATE on the schema if the tables do not exist yet',
  parameter:
    'remove `options` and other parameters from the address, or let the pooler ignore them (ignore_startup_parameters)',
  needsTls: 'add sslmode=verify-full to the address',
  noTls: 'turn TLS on at the server, or remove sslmode from the address',
  certificate: 'add sslrootcert=FILE with the certificate of its authority to the address, or set NODE_EXTRA_CA_CERTS',
} as const;

const denied: PostgresFailure = {
  kind: 'denied',
  cause: 'the user or the password is wrong or missing',
  fix: 'correct the user and the password, in the address or with PGPASSWORD',
};

const noDatabase: PostgresFailure = {
  kind: 'no-database',
  cause: 'the database does not exist',
  fix: 'create the database, or correct its name in the address',
};
