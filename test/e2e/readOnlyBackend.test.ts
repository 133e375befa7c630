/** Commands on a backend that they can only read: those that read work, and those that write refuse before their first call. */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openMemories } from '../../src/engine/backend/open.ts';
import { type Harness, openDeclared, writesOf } from '../cli/harness.ts';
import { describeStores, type StoreServer } from '../engine/backend/servers.ts';
import { stateFolderOf } from '../stateFolder.ts';
import { unprivilegedUser } from '../triggers/postgres.ts';
import { type Finished, start } from './process.ts';

type Env = Readonly<Record<string, string>>;

interface Limited extends AsyncDisposable {
  /** The environment of commands that may only read. */
  env: Env;
  uid?: number | undefined;
}

const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11] }
    sources: [pricing]
`;

const writing = [
  ['apply', '--yes'],
  ['undo', '--yes'],
];

/** Applies, changes the account, and takes the permission to write away. */
async function playReadOnly(env: Env, limit: () => Promise<Limited>): Promise<string> {
  await using place = await openDeclared('plain', declaration);
  const urls = urlsOf(place);
  const all = (...args: string[]) => start(args, { cwd: place.folder, env: { ...urls, ...env } }).finished;
  expect(await all('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  place.emulator.move(['192.0.2.10'], 'pricing');
  await using limited = await limit();
  await chmod(place.folder, 0o755);
  const run = (...args: string[]) =>
    start(args, { cwd: place.folder, env: { ...urls, ...limited.env }, ...(limited.uid && { uid: limited.uid }) })
      .finished;

  const history = await run('history', '--format', 'json');
  expect(history).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(history.stdout).runs).toMatchObject([{ command: 'apply', result: 'done' }]);
  expect(await run('plan')).toMatchObject({ code: 0, stderr: '' });
  const drift = await run('drift');
  expect(drift).toMatchObject({ code: 2, stderr: '' });
  expect(drift.stdout).toContain('192.0.2.10');
  place.emulator.clearRequests();
  const refused: Finished[] = [];
  for (const args of writing) refused.push(await run(...args));
  expect(writesOf(place.emulator.requests())).toEqual([]);
  expect(refused.map(({ code }) => code)).toEqual(writing.map(() => 1));
  const texts = refused.map(({ stderr }) => stderr);
  for (const text of texts) expect(text).not.toMatch(/internal error|^\s+at /m);
  return texts.join('\n');
}

function urlsOf({ emulator }: Harness): Env {
  return {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
  };
}

describeStores('a backend that can only be read', (server) => {
  it('can be planned from, and refuses writes before the first call', async () => {
    const address = await server.newAddress();
    const errors = await playReadOnly({ ...server.env(), WEBDATA_BACKEND: address }, () => limited(server, address));
    expect(errors).toMatch(/no permission to write objects|has no permission for its tables/);
    expect(errors).toMatch(/s3:PutObject|SELECT, INSERT/);
  });

  it('leaves the lock to its holder', async () => {
    await using place = await openDeclared('plain', declaration);
    const address = await server.newAddress();
    const account = new URL(place.emulator.apiUrl);
    const backend = (await openMemories(address, { folder: '.', env: server.env() }))(`loopback:${account.port}`);
    await backend.withLock({ timeoutMs: 0, command: 'webdata apply', folder: '/srv/infra' }, async (_, assertHeld) => {
      await using reader = await limited(server, address);
      const env = { ...urlsOf(place), ...reader.env };
      const { code, stderr } = await start(['unlock', '--yes'], { cwd: place.folder, env }).finished;
      expect(code).toBe(1);
      expect(stderr).toMatch(/no permission to write objects|has no permission for its tables/);
      await assertHeld();
    });
    await backend.close();
  });
});

describe('a folder that can only be read', () => {
  it('can be planned from, and refuses writes before the first call', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-'));
    const errors = await playReadOnly({ WEBDATA_BACKEND: folder }, async () => {
      const { uid, gid } = unprivilegedUser() ?? {};
      for (const name of ['.', ...(await readdir(folder))]) {
        if (uid !== undefined && gid !== undefined) await chown(join(folder, name), uid, gid);
        await chmod(join(folder, name), name === '.' ? 0o500 : 0o400);
      }
      return {
        // Each user of a machine has a state folder of their own.
        env: { WEBDATA_BACKEND: folder, ...stateFolderOf(`${folder} of ${uid}`) },
        uid,
        [Symbol.asyncDispose]: () => chmod(folder, 0o700),
      };
    });
    expect(errors).toMatch(
      /the journal .*journal\.jsonl cannot be written: permission denied\n {2}fix: make the folder/,
    );
  });
});

async function limited(server: StoreServer, address: string): Promise<Limited> {
  return server.name === 'S3' ? denyingProxy(server, address) : readingRole(address);
}

/** Refuses whatever writes, as S3 does without the permission. */
async function denyingProxy(server: StoreServer, address: string): Promise<Limited> {
  const upstream = server.env().AWS_ENDPOINT_URL_S3;
  const proxy = createServer(async (request, response) => {
    if (request.method !== 'GET') {
      response.writeHead(403, { 'content-type': 'application/xml' });
      return response.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
    }
    const answer = await fetch(`${upstream}${request.url}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    const headers = [...answer.headers].filter(
      ([name]) => !/^(connection|content-length|transfer-encoding)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(headers));
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const { port } = proxy.address() as AddressInfo;
  return {
    env: { ...server.env(), AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, WEBDATA_BACKEND: address },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

/** A role with SELECT only. */
async function readingRole(address: string): Promise<Limited> {
  const name = `r${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(`CREATE ROLE ${name} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`);
  return {
    env: { WEBDATA_BACKEND: address.replace('webdata@', `${name}@`) },
    async [Symbol.asyncDispose]() {
      await client.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
      await client.end();
    },
  };
}
