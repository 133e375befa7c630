/** Tunnel of the native proxy: two sockets that receive each other's data until both have ended. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connects to the target, unless the client disconnects first. `opened` gets the socket immediately. @throws Error of the socket */
export async function reachTarget(
  client: Duplex,
  address: { host: string; port: number },
  opened: (upstream: Socket) => void,
): Promise<Socket> {
  const upstream = connect(address);
  opened(upstream);
  client.once('close', () => upstream.destroySoon());
  await once(upstream, 'connect');
  // A connection that breaks later is closed without further notice.
  upstream.on('error', () => upstream.destroy());
  return upstream;
}

/** Sends the client the confirmation and connects both ends. */
export function joinEnds(client: Duplex, upstream: Socket, head: Buffer): void {
  client.write(connected);
  if (head.length > 0) upstream.write(head);
  client.pipe(upstream).pipe(client);
  upstream.once('close', () => endOf(client));
}

const connected = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Ends a connection after its pending data has been sent. */
function endOf(client: Duplex): void {
  if (client.writableFinished) client.destroy();
  else client.end(() => client.destroy());
}
