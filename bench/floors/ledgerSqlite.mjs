/** The minimum of a ledger, in SQLite with the settings of `webdata triggers serve`: a write-ahead log, and every commit synced. */
import { DatabaseSync } from 'node:sqlite';

export function sqliteLedger(file) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec('CREATE TABLE schedules (id TEXT PRIMARY KEY, cursor_at INTEGER)');
  database.exec(
    'CREATE TABLE runs (id TEXT PRIMARY KEY, schedule_id TEXT, state TEXT, token TEXT, collection_id TEXT, at INTEGER)',
  );
  database.exec('CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT, at INTEGER, text TEXT)');
  const statements = {
    register: database.prepare('INSERT INTO schedules VALUES (?, 0)'),
    advance: database.prepare('UPDATE schedules SET cursor_at = ? WHERE id = ?'),
    add: database.prepare("INSERT INTO runs VALUES (?, ?, 'waiting', NULL, NULL, ?)"),
    claim: database.prepare("UPDATE runs SET state = 'triggering', token = ?, at = ? WHERE id = ?"),
    accept: database.prepare("UPDATE runs SET state = 'running', collection_id = ?, at = ? WHERE id = ? AND token = ?"),
    tell: database.prepare('INSERT INTO events (run_id, at, text) VALUES (?, ?, ?)'),
  };

  const inOne = (runs, write) => {
    const at = Date.now();
    database.exec('BEGIN IMMEDIATE');
    for (const run of runs) write(run, at);
    database.exec('COMMIT');
  };

  return {
    register: (schedules) => inOne(schedules, (id) => statements.register.run(id)),
    add: (runs) =>
      inOne(runs, ({ id, schedule }, at) => {
        statements.advance.run(at, schedule);
        statements.add.run(id, schedule, at);
        statements.tell.run(id, at, 'due');
      }),
    claim: (runs) =>
      inOne(runs, ({ id, token }, at) => {
        statements.claim.run(token, at, id);
        statements.tell.run(id, at, 'about to be triggered');
      }),
    accept: (runs) =>
      inOne(runs, ({ id, token, collectionId }, at) => {
        statements.accept.run(collectionId, at, id, token);
        statements.tell.run(id, at, `triggered: ${collectionId}`);
      }),
    close: () => database.close(),
  };
}
