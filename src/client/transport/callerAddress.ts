/** The caller's address as a server sees it on a direct connection: the local end of a TCP connection. */
import { connect, type Socket } from 'node:net';
import { type Fixes, failing, type ServiceError } from '../errors.ts';

/** Connects to an http or https origin, sends nothing and disconnects. IPv4 addresses are returned in plain form. @throws ServiceError */
export function localAddressTo(
  origin: string,
  timeoutMs: number,
  fixes: Fixes,
  signal: AbortSignal | undefined,
): Promise<string> {
  const fail = failing({ method: 'CONNECT', url: origin, read: true }, fixes);
  const fault = (cause: NodeJS.ErrnoException): ServiceError =>
    signal?.aborted
      ? fail('aborted', 'was aborted', { cause })
      : fail('unreachable', `could not connect (${cause.code ?? cause.message})`, { cause, transient: true });
  return new Promise((resolve, reject) => {
    const socket = connect({ ...endpoint(origin), timeout: timeoutMs, signal });
    socket.once('timeout', () => {
      reject(fail('timed-out', 'could not connect in time'));
      socket.destroy();
    });
    socket.once('error', (cause) => reject(fault(cause)));
    socket.once('connect', () => {
      resolve(plainAddress(socket));
      socket.destroy();
    });
  });
}

function endpoint(origin: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(origin);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
}

function plainAddress({ localAddress = '' }: Socket): string {
  return localAddress.replace(/^::ffff:(?=\d+\.)/, '');
}
