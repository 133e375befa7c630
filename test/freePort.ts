import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral ports of the system: no server that listens on port 0 gets one of these. */
const [lowest, highest] = [10_000, 16_000];

/** Returns a port of loopback that is free now. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Returns this many ports of loopback that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const holders = await Promise.all(Array.from({ length: count }, holdPort));
  for (const { server } of holders) server.close();
  await Promise.all(holders.map(({ server }) => once(server, 'close')));
  return holders.map(({ port }) => port);
}

async function holdPort(): Promise<{ port: number; server: Server }> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return { port, server };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
