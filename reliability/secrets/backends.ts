/** Shared backends in which the runs of a declaration full of secrets are kept, and everything that is stored in them. */
import pg from 'pg';
import { hasMoto, startMoto } from '../../test/engine/backend/moto.ts';
import { postgresPrograms, startPostgres } from '../../test/triggers/postgres.ts';
import { canaries } from './canaries.ts';

interface SearchedBackend extends AsyncDisposable {
  name: string;
  env: Readonly<Record<string, string>>;
  /** Returns each object or row with its key. */
  stored(): Promise<Stored[]>;
}

interface Stored {
  key: string;
  text: string;
}

/** Limits for commands that call the service: with more retries, most of the time would be spent waiting for them. */
const quick = '--timeout 5 --retries 1';

/** Commands that write to a backend, or read everything in it. */
export const backendLines = [
  `apply --yes ${quick}`,
  'backend push',
  `drift ${quick}`,
  `undo --yes ${quick}`,
  `zones migrate --from pricing --to checkout --yes ${quick} 192.0.2.11`,
  `apply --yes --format json --log-http ${quick}`,
  'history --format json',
  `destroy --yes --select ZoneIpAllocation/static ${quick}`,
  'history --prune --older-than 1d',
  'unlock --yes',
  `apply --yes ${quick}`,
].map((line) => line.split(' '));

export const backendsLacking = [
  ...(hasMoto ? [] : ['a backend on S3: no moto: scripts/moto.sh']),
  ...(postgresPrograms === undefined ? ['a backend in PostgreSQL: no PostgreSQL'] : []),
];

export async function openBackends(): Promise<SearchedBackend[]> {
  return [...(hasMoto ? [await openS3()] : []), ...(postgresPrograms === undefined ? [] : [await openPostgres()])];
}

async function openS3(): Promise<SearchedBackend> {
  const moto = await startMoto();
  const credentials = { ...moto.env, AWS_SECRET_ACCESS_KEY: canaries.backendSecretKey };
  // The AWS client reads the environment of the process.
  const former = Object.keys(credentials).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, credentials);
  return {
    name: 'S3',
    env: { ...credentials, WEBDATA_BACKEND: `s3://${moto.bucket}/team` },
    async stored() {
      const keys = Object.keys(await moto.objects());
      const metadata = async (key: string) => JSON.stringify(await moto.metadata(key));
      return Promise.all(keys.map(async (key) => ({ key, text: (await moto.text(key)) + (await metadata(key)) })));
    },
    async [Symbol.asyncDispose]() {
      for (const [name, value] of former) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await moto[Symbol.asyncDispose]();
    },
  };
}

async function openPostgres(): Promise<SearchedBackend> {
  const postgres = await startPostgres();
  const password = encodeURIComponent(canaries.backendPassword);
  return {
    name: 'PostgreSQL',
    env: { WEBDATA_BACKEND: postgres.url.replace('webdata@', `webdata:${password}@`) },
    async stored() {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      const { rows } = await client.query<{ key: string }>('SELECT * FROM webdata_backend');
      await client.end();
      return rows.map((row) => ({ key: row.key, text: JSON.stringify(Object.values(row).join('\n')) }));
    },
    [Symbol.asyncDispose]: () => postgres.remove(),
  };
}
