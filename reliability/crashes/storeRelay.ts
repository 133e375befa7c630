/** Relays between a process and the store of its backend, which kill the process before or after a write. */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { armedRelay } from './moves.ts';
import type { Point } from './points.ts';

export interface StoreRelay {
  port: number;
  /** Kills at the point, with `strike`. Writes are counted from here. */
  arm(point: Point | undefined, strike: () => void): void;
  /** Returns the number of writes since then. */
  writes(): number;
  /** Resolves when every held write has been passed on. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a relay to an S3 server. */
export async function openS3Relay(upstream: string): Promise<StoreRelay> {
  const { relay, armed } = await armedRelay(() => upstream, 'backend');
  let from = 0;
  return {
    port: Number(new URL(relay.url).port),
    arm(point, strike) {
      from = relay.changes();
      armed.at(point, strike);
    },
    writes: () => relay.changes() - from,
    settled: () => relay.settled(),
    close: () => relay.close(),
  };
}

/**
 * Matches the first message of a statement that writes, at the beginning of what a client sends at once: a type, four bytes of length, for Parse
 * an empty name, and the text.
 */
const writing = /^(?:P[\s\S]{4}\0|Q[\s\S]{4})\s*(?:INSERT|UPDATE|DELETE|CREATE|COMMIT)\b/;

/** Opens a relay to a PostgreSQL server. */
export async function openPostgresRelay(target: NetConnectOpts): Promise<StoreRelay> {
  let [writes, point, strike]: [number, Point | undefined, () => void] = [0, undefined, () => undefined];
  const held = new Set<Promise<void>>();
  const sockets = new Set<Socket>();

  function handlingOf(piece: Buffer) {
    if (!writing.test(piece.toString('latin1', 0, 64))) return undefined;
    writes += 1;
    return point?.at === 'backend' && point.number === writes ? point.how : undefined;
  }

  function hold(upstream: Socket): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.add(promise);
    void promise.finally(() => held.delete(promise));
    upstream.once('close', resolve);
    return resolve;
  }

  const server = createServer((client) => {
    const upstream = connect(target);
    let release: (() => void) | undefined;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => release === undefined && upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (piece) => {
      const handling = handlingOf(piece);
      if (handling === 'lost' || handling === 'late') strike();
      if (handling === 'lost') return client.destroy();
      if (handling !== undefined) release = hold(upstream);
      return upstream.write(piece);
    });
    upstream.on('data', (piece) => {
      if (release === undefined) return client.write(piece);
      // The answer to the write: the statement has been carried out.
      strike();
      client.destroy();
      upstream.destroy();
      return release();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    arm(next, how) {
      [writes, point, strike] = [0, next, how];
    },
    writes: () => writes,
    settled: async () => void (await Promise.all(held)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
