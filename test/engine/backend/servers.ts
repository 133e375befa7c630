/** Runs the same tests on every store of shared backends; one whose server the machine lacks is reported as skipped. */
import { randomBytes } from 'node:crypto';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { afterAll, beforeAll, describe } from 'vitest';
import { describePostgres } from '../../triggers/stores.ts';
import { hasMoto, type Moto, startMoto } from './moto.ts';

export interface StoreServer {
  name: 'S3' | 'PostgreSQL';
  /** Returns the address of a new, empty store. */
  newAddress(): Promise<string>;
  /** The environment with which a process reaches the store. */
  env(): Record<string, string>;
}

export function describeStores(what: string, tests: (server: StoreServer) => void): void {
  describe.skipIf(!hasMoto)(`${what}, on S3`, () => {
    let moto: Moto;
    beforeAll(async () => {
      moto = await startMoto();
      // The AWS client reads its settings from the environment of the process. Each test file has its own.
      Object.assign(process.env, moto.env);
    }, 10 * 60_000);
    afterAll(() => moto?.[Symbol.asyncDispose]());
    tests({
      name: 'S3',
      newAddress: async () => `s3://${moto.bucket}/${randomBytes(6).toString('hex')}`,
      env: () => moto.env,
    });
  });
  describePostgres(`${what}, on PostgreSQL`, (newStore) =>
    tests({ name: 'PostgreSQL', newAddress: newStore, env: () => ({}) }),
  );
}

interface Proxy extends AsyncDisposable {
  /** The address of the store through the proxy. */
  address: string;
  env: Record<string, string>;
  /** Breaks the connection instead of passing on the next answers. */
  loseAnswers(count: number): void;
  /** Refuses connections, and breaks those that are open. */
  cut(): void;
  /** The number of pieces that clients have sent. */
  pieces(): number;
  /** Cuts the connection at a piece: before it is passed on, or after its answer was lost. */
  cutAt(piece: number, when: 'before' | 'after'): void;
}

/** Opens a proxy in front of a store. It knows nothing of the protocol: the first piece from the server after a request is an answer. */
export async function openProxy(server: StoreServer, address: string): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let [toLose, isCut, sent] = [0, false, 0];
  let planned: { piece: number; when: 'before' | 'after' } | undefined;
  const target = targetOf(server, address);
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    if (isCut) client.destroy();
    client.on('data', (piece) => {
      sent += 1;
      if (sent === planned?.piece && planned.when === 'before') cut();
      else upstream.write(piece);
    });
    upstream.on('data', (piece) => {
      if (planned?.when === 'after' && sent >= planned.piece) return cut();
      if (toLose === 0) return client.write(piece);
      toLose -= 1;
      return client.destroy();
    });
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const bound = proxy.address();
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
  return {
    address: server.name === 'S3' ? address : `postgres://webdata@127.0.0.1:${port}${new URL(local(address)).pathname}`,
    env: server.name === 'S3' ? { ...server.env(), AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` } : {},
    loseAnswers: (count) => {
      toLose = count;
    },
    cut,
    pieces: () => sent,
    cutAt: (piece, when) => {
      planned = { piece: sent + piece, when };
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

function targetOf(server: StoreServer, address: string): NetConnectOpts {
  if (server.name === 'PostgreSQL')
    return { path: `${new URL(local(address)).searchParams.get('host')}/.s.PGSQL.5432` };
  const { hostname, port } = new URL(server.env().AWS_ENDPOINT_URL_S3 ?? '');
  return { host: hostname, port: Number(port) };
}

/** `URL` needs a host, which addresses of sockets lack. */
function local(address: string): string {
  return address.replace('@/', '@localhost/');
}
