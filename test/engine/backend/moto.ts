/** Starts moto, an independent S3 server, on loopback. */
import { execFileSync, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

export interface Moto extends AsyncDisposable {
  url: string;
  /** The environment variables that point the AWS client at it. */
  env: Record<string, string>;
  bucket: string;
  /** The sizes of all objects, by key. */
  objects(): Promise<Record<string, number>>;
  text(key: string): Promise<string>;
  metadata(key: string): Promise<Record<string, string>>;
  /** The XML list of multipart uploads that are not complete. */
  unfinished(): Promise<string>;
  stop(): Promise<void>;
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pulumi-webdata');

/** CI installs moto; on other machines its tests run once somebody has run `scripts/moto.sh`. */
export const hasMoto = Boolean(process.env.CI) || globSync(`${cache}/moto-*/bin/moto_server`).length > 0;

const bucket = 'results';

export async function startMoto(): Promise<Moto> {
  const program = execFileSync('scripts/moto.sh', { encoding: 'utf8' }).trim();
  const python = join(dirname(program), 'python');
  const child = spawn(python, [join(import.meta.dirname, 'motoServer.py'), '-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = `http://127.0.0.1:${await printedPort(child.stdout)}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'canary-s3-secret' };
  const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
  await fetch(`${url}/${bucket}`, { method: 'PUT' });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await new Promise((ended) => child.once('exit', ended));
  };
  return {
    url,
    bucket,
    env: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    async objects() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Object.fromEntries(Contents.map(({ Key = '', Size = 0 }) => [Key, Size]));
    },
    async text(key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return (await Body?.transformToString()) ?? '';
    },
    metadata: async (key) => (await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))).Metadata ?? {},
    unfinished: async () => (await fetch(`${url}/${bucket}?uploads`)).text(),
    stop,
    async [Symbol.asyncDispose]() {
      client.destroy();
      await stop();
    },
  };
}

/** Another process may take a port that is chosen beforehand. */
async function printedPort(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error('moto ended before it listened');
}
