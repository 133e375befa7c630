/** `webdata plan` at a slow service with a rate limit, against the best schedule. */
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFor, declarationFor } from './frame/accounts.ts';
import { type Benchmark, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const size = { ips: 2000, zones: 200, moves: 20 };
const callMs = 50;
const perSecond = 20;
const floor = [process.execPath, join(import.meta.dirname, 'floors/pacedPlan.mjs')];

export const benchmark: Benchmark = {
  name: 'slowNetwork',
  about:
    '**slowNetwork**: `webdata plan` of 200 zones at a service where each call takes 50 ms and which answers 429, without a Retry-After, to every call beyond 20 in any second, against a Node script that knows the limit, sends 20 calls at the beginning of each second, and parses the answers. `webdata` finds the limit itself, in every run.',
  async run(stage) {
    const { env } = await startEmulator(stage, accountFor(size));
    const gateway = await openGateway(env.WEBDATA_API_URL ?? '');
    writeFileSync(join(stage.folder, 'webdata.yaml'), declarationFor(size));
    const timed = async (argv: readonly string[]) => {
      // The limit also counts the calls of the last run.
      await sleep(1000);
      return (await runProcess(stage, argv, { env: { ...env, WEBDATA_API_URL: gateway.url } })).ms;
    };
    try {
      const measured = await pairs(
        () => timed([...webdata, 'plan']),
        () => timed(floor),
        { count: 1, warmUps: 0 },
      );
      stage.log(`${gateway.rejected()} answers 429 in ${measured.count} plans`);
      return [
        unlessReached(
          compared('plan, 200 zones, 50 ms a call, 20 calls a second', measured, atMost(1.1), inTime),
          'calls are sent in the same seconds as by the script; the rest is the start of the process, and an eleventh second where a busy machine delays calls',
        ),
      ];
    } finally {
      gateway.close();
    }
  },
};

/** Opens a server in front of the emulator that keeps the limit. */
async function openGateway(upstream: string) {
  let accepted: number[] = [];
  let rejected = 0;
  async function answer(path: string, authorization: string, response: ServerResponse): Promise<void> {
    const now = performance.now();
    accepted = accepted.filter((at) => at > now - 1000);
    const isAccepted = accepted.length < perSecond;
    if (isAccepted) accepted.push(now);
    else rejected += 1;
    await sleep(callMs);
    if (!isAccepted) return void response.writeHead(429).end('Too many requests');
    const its = await fetch(upstream + path, { headers: { authorization } });
    response.writeHead(its.status, { 'content-type': 'application/json' }).end(await its.text());
  }
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    answer(url, headers.authorization ?? '', response).catch(() => void response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, rejected: () => rejected, close };
}
