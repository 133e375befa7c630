/** Raw bytes on the wire that no client would send. */
import { connect, type Socket } from 'node:net';

export interface Heard {
  /** The status of the first answer; undefined if the connection was closed, or nothing came. */
  status: number | undefined;
  text: string;
  closed: boolean;
}

/** Sends the text, and reads until the connection ends or the time is over. */
export async function say(port: number, words: string, ms = 5000): Promise<Heard> {
  const socket = connect(port, '127.0.0.1');
  let [text, closed] = ['', false];
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
  });
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => {
    closed = true;
    resolve();
  });
  socket.write(words, 'latin1');
  // A second answer may follow an invalid request, so wait a little.
  socket.once('data', () => setTimeout(resolve, 50));
  const timer = setTimeout(resolve, ms);
  await answered;
  clearTimeout(timer);
  socket.destroy();
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(text) ?? [];
  return { status: status === undefined ? undefined : Number(status), text, closed };
}

interface Held {
  sockets: Socket[];
  end(): void;
}

/** The queue of a listening socket: beyond it, a connection is open for the client, but not for the server. */
const atOnce = 100;

/** Opens connections that send a text and then nothing. */
export async function hold(port: number, count: number, words = ''): Promise<Held> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(atOnce, count - sockets.length) }, () =>
      connect(port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(more.map(connected));
    sockets.push(...more);
  }
  for (const socket of sockets) if (words !== '' && !socket.destroyed) socket.write(words);
  return {
    sockets,
    end() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Resolves when the socket is connected or refused. */
function connected(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
}

export function isOpen(socket: Socket): boolean {
  return socket.readyState === 'open';
}
