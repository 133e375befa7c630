/** The minimum of a ledger, in PostgreSQL with default settings: every commit is synced. All runs of a step are in one statement. */
import pg from 'pg';

export async function postgresLedger(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE schedules (id TEXT PRIMARY KEY, cursor_at BIGINT)');
  await client.query(
    'CREATE TABLE runs (id TEXT PRIMARY KEY, schedule_id TEXT, state TEXT, token TEXT, collection_id TEXT, at BIGINT)',
  );
  await client.query('CREATE TABLE events (id BIGSERIAL PRIMARY KEY, run_id TEXT, at BIGINT, text TEXT)');

  /** Runs statements in one transaction, each with columns of the runs as arrays. */
  const inOne = async (runs, ...statements) => {
    await client.query('BEGIN');
    for (const [sql, ...columns] of statements) {
      await client.query({
        name: sql,
        text: sql,
        values: [Date.now(), ...columns.map((name) => runs.map((run) => run[name]))],
      });
    }
    await client.query('COMMIT');
  };

  return {
    register: (schedules) => client.query('INSERT INTO schedules SELECT unnest($1::text[]), 0', [schedules]),
    add: (runs) =>
      inOne(
        runs,
        ['UPDATE schedules SET cursor_at = $1 WHERE id = ANY($2)', 'schedule'],
        ["INSERT INTO runs SELECT *, 'waiting', NULL, NULL, $1 FROM unnest($2::text[], $3::text[])", 'id', 'schedule'],
        ["INSERT INTO events (run_id, at, text) SELECT id, $1, 'due' FROM unnest($2::text[]) AS id", 'id'],
      ),
    claim: (runs) =>
      inOne(
        runs,
        [
          "UPDATE runs SET state = 'triggering', token = it.token, at = $1 FROM unnest($2::text[], $3::text[]) AS it (id, token) WHERE runs.id = it.id",
          'id',
          'token',
        ],
        [
          "INSERT INTO events (run_id, at, text) SELECT id, $1, 'about to be triggered' FROM unnest($2::text[]) AS id",
          'id',
        ],
      ),
    accept: (runs) =>
      inOne(
        runs,
        [
          "UPDATE runs SET state = 'running', collection_id = it.collection, at = $1 FROM unnest($2::text[], $3::text[], $4::text[]) AS it (id, token, collection) WHERE runs.id = it.id AND runs.token = it.token",
          'id',
          'token',
          'collectionId',
        ],
        [
          "INSERT INTO events (run_id, at, text) SELECT id, $1, 'triggered: ' || it.collection FROM unnest($2::text[], $3::text[]) AS it (id, collection)",
          'id',
          'collectionId',
        ],
      ),
    close: () => client.end(),
  };
}
