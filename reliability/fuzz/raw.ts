/** Bytes sent to a server as they are, and all that it answers before it closes, or before it is clear that it waits for more. */
import { connect } from 'node:net';

export function rawRequest(url: string, bytes: Buffer, patienceMs: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(pieces).toString());
    };
    const timer = setTimeout(end, patienceMs);
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', end).on('close', end);
    // The sender has said all: a server that waits for more is told so.
    socket.end(bytes);
  });
}
