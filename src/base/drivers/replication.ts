/** The replicas that a PostgreSQL database shows. */

type Query = <Row>(sql: string) => Promise<Row[]>;

/** Each promotion of a replica begins another timeline. Undefined where the database does not show it. */
export async function timelineOf(query: Query): Promise<number | undefined> {
  const timeline = `('x' || SUBSTR(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int`;
  const rows = await query<{ timeline: number }>(`SELECT ${timeline} AS timeline`).catch(() => []);
  return rows[0]?.timeline;
}

/** Returns why a failover could lose commits, as far as the database shows it; undefined if it shows nothing wrong. */
export async function replicationRisk(query: Query): Promise<string | undefined> {
  const [row] = await query<{ names: string; commit: string; replicas: number }>(
    `SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commit,
       (SELECT COUNT(*) FROM pg_stat_replication) AS replicas`,
  ).catch(() => []);
  if (row === undefined || row.replicas === 0) return undefined;
  if (row.names !== '' && !['off', 'local'].includes(row.commit)) return undefined;
  return 'its database has replicas and commits without waiting for one, so a failover can lose records of what was sent; set synchronous_standby_names, and synchronous_commit to on';
}
