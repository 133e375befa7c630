/** How many connections a server keeps: whoever only holds some keeps nobody out. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Slow headers are looked for so often. */
export const connectionsCheckingInterval = 5000;

/** Where all are taken, the one that has waited longest without a request makes room for a new one. */
export function shareConnections(server: Server, most: number): void {
  // In the order in which they began to wait.
  const waiting = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      waiting.delete(socket);
    });
    if (open > most) (waiting.values().next().value ?? socket).destroy();
    if (!socket.destroyed) waiting.add(socket);
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    waiting.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) waiting.add(socket);
    });
  });
}
