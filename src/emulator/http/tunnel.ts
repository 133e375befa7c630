/** A tunnel of the native proxy: two sockets, each of which gets what the other sends, until both have ended. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connects to the target; a client that goes away meanwhile ends that. `opened` has the socket at once. @throws Error of the socket */
export async function reachTarget(
  client: Duplex,
  address: { host: string; port: number },
  opened: (upstream: Socket) => void,
): Promise<Socket> {
  const upstream = connect(address);
  opened(upstream);
  client.once('close', () => upstream.destroySoon());
  await once(upstream, 'connect');
  // A connection that breaks later is closed, and that is all there is to tell.
  upstream.on('error', () => upstream.destroy());
  return upstream;
}

/** Tells the client that it is connected, and lets the two talk. */
export function joinEnds(client: Duplex, upstream: Socket, head: Buffer): void {
  client.write(connected);
  if (head.length > 0) upstream.write(head);
  client.pipe(upstream).pipe(client);
  upstream.once('close', () => endOf(client));
}

export const connected = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** What is still to be sent goes out first. */
function endOf(client: Duplex): void {
  if (client.writableFinished) client.destroy();
  else client.end(() => client.destroy());
}
