/** Limits the connections of a server, so that idle connections cannot keep other clients out. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The interval in ms at which the server closes connections whose headers take too long. */
export const connectionsCheckingInterval = 5000;

/** The time for which an idle connection stays open: longer than the 60 s for which load balancers use one again. */
export const keepAliveTimeout = 75_000;

/** Closes the connection that has been idle the longest when there are more than `most`. */
export function shareConnections(server: Server, most: number): void {
  // Ordered by the time at which they became idle.
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
