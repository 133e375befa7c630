/** The stores of a backend under a process that is killed: a folder, S3 and PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { hasMoto, startMoto } from '../../test/engine/backend/moto.ts';
import { postgresPrograms, startPostgres } from '../../test/triggers/postgres.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { openPostgresRelay, openS3Relay, type StoreRelay } from './storeRelay.ts';

type Env = Readonly<Record<string, string>>;

export interface CrashStore {
  name: string;
  /** The requirement that this machine does not meet, if any. */
  lacks?: string | undefined;
  /** Starts the server. */
  open(stage: CampaignStage): Promise<CrashServer>;
}

export interface CrashServer extends AsyncDisposable {
  /** Makes an empty store. */
  newStore(): Promise<OpenStore>;
}

/** A store, as the process that is killed reaches it, and as others do. */
interface OpenStore {
  victim: Env;
  others: Env;
  relay?: StoreRelay;
  /** True if machines whose clocks differ can share it. A folder is for one machine. */
  isShared: boolean;
  /** The folder whose file operations are boundaries. */
  under: string;
}

export const crashStores: readonly CrashStore[] = [
  { name: 'a folder', open: openFolders },
  { name: 'S3', lacks: hasMoto ? undefined : 'no moto: scripts/moto.sh', open: openS3 },
  { name: 'PostgreSQL', lacks: postgresPrograms === undefined ? 'no PostgreSQL' : undefined, open: openPostgres },
];

async function openFolders({ folder }: CampaignStage): Promise<CrashServer> {
  return {
    async newStore() {
      const under = await mkdtemp(join(folder, 'backend-'));
      const env = { WEBDATA_BACKEND: under };
      return { victim: env, others: env, isShared: false, under };
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function openS3({ folder }: CampaignStage): Promise<CrashServer> {
  const moto = await startMoto();
  return {
    async newStore() {
      const relay = await openS3Relay(moto.url);
      const others = { ...moto.env, WEBDATA_BACKEND: `s3://${moto.bucket}/${randomBytes(6).toString('hex')}` };
      const victim = { ...others, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${relay.port}` };
      return { victim, others, isShared: true, relay, under: folder };
    },
    [Symbol.asyncDispose]: () => moto[Symbol.asyncDispose](),
  };
}

async function openPostgres({ folder }: CampaignStage): Promise<CrashServer> {
  const postgres = await startPostgres(undefined, '-c fsync=off');
  const socket = new URL(postgres.url.replace('@/', '@localhost/')).searchParams.get('host');
  const admin = new pg.Pool({ connectionString: postgres.url, max: 1 });
  return {
    async newStore() {
      const name = `c${randomBytes(6).toString('hex')}`;
      await admin.query(`CREATE DATABASE ${name}`);
      const relay = await openPostgresRelay({ path: `${socket}/.s.PGSQL.5432` });
      const victim = { WEBDATA_BACKEND: `postgres://webdata@127.0.0.1:${relay.port}/${name}` };
      return {
        victim,
        others: { WEBDATA_BACKEND: postgres.url.replace('/postgres?', `/${name}?`) },
        isShared: true,
        relay,
        under: folder,
      };
    },
    async [Symbol.asyncDispose]() {
      await admin.end();
      await postgres.remove();
    },
  };
}
