/** A real S3 server, of another project and another language, on loopback. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

export interface Moto extends AsyncDisposable {
  url: string;
  /** For the receiver. */
  env: Record<string, string>;
  bucket: string;
  /** Keys and sizes. */
  objects(): Promise<Record<string, number>>;
  text(key: string): Promise<string>;
  metadata(key: string): Promise<Record<string, string>>;
  /** Multipart uploads that were begun and not finished. */
  unfinished(): Promise<string>;
  stop(): Promise<void>;
}

/** `scripts/moto.sh` installs it; other machines than those of CI need not have it. */
export const hasMoto = Boolean(process.env.CI) || existsSync('node_modules/.cache/moto/bin/moto_server');

const bucket = 'results';

export async function startMoto(): Promise<Moto> {
  const program = execFileSync('scripts/moto.sh', { encoding: 'utf8' }).trim();
  const port = await freePort();
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'canary-s3-secret' };
  const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
  await untilAnswered(url);
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function untilAnswered(url: string): Promise<void> {
  for (;;) {
    if (await fetch(url).then(Boolean, () => false)) return;
    await sleep(50);
  }
}
