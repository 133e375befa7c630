/** `request()` of the client, against undici alone. */
import { join } from 'node:path';
import type { Benchmark } from './frame/benchmark.ts';
import { atLeast, compared, pairs } from './frame/pairs.ts';
import { runProcess, startServer } from './frame/process.ts';
import { inRate } from './frame/units.ts';

/** The number of measured requests. The same number is sent before them, to warm up. */
const requests = 6000;

const [echo, program] = ['echo.mjs', 'requests.mjs'].map((name) => join(import.meta.dirname, 'floors', name));

export const benchmark: Benchmark = {
  name: 'client',
  about: `**client**: ${requests.toLocaleString('en')} proxied requests of \`request()\`, 16 in flight, to a server that echoes them, against undici alone; each in a new process that has sent the same number before.`,
  async run(stage) {
    const url = await startServer(stage, [process.execPath, `${echo}`]);
    const rateOf = (which: 'ours' | 'floor') => async () => {
      const { stdout } = await runProcess(stage, [process.execPath, `${program}`, which, url, `${requests}`]);
      return (JSON.parse(stdout) as { perSecond: number }).perSecond;
    };
    const measured = await pairs(rateOf('ours'), rateOf('floor'));
    return [compared('client, request(), 16 in flight', measured, atLeast(0.85), inRate)];
  },
};
