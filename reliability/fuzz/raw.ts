/** Sends raw bytes to a server, and returns its answer until it closes the connection or waits for more. */
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
    // Ends the sending side, so that a server does not wait for more.
    socket.end(bytes);
  });
}
