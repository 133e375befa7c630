/** A tunnel of the native proxy: two sockets, each of which gets what the other sends, until both have ended. */

import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Connects to the target and tells the client so. `settled` hears of it once: with the error, where there is no connection and the
 * client still waits for an answer.
 */
export function openTunnel(
  client: Duplex,
  address: { host: string; port: number },
  head: Buffer,
  settled: (error?: NodeJS.ErrnoException) => void,
): Socket {
  const upstream = connect(address);
  upstream.once('error', settled);
  upstream.once('connect', () => {
    upstream.off('error', settled);
    // A connection that breaks later is closed, and that is all there is to tell.
    upstream.on('error', () => upstream.destroy());
    settled();
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream).pipe(client);
    upstream.once('close', () => endOf(client));
  });
  client.once('close', () => upstream.destroySoon());
  return upstream;
}

/** What is still to be sent goes out first. */
function endOf(client: Duplex): void {
  if (client.writableFinished) client.destroy();
  else client.end(() => client.destroy());
}
