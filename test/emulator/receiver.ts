/** A webhook on loopback that keeps what it is sent, and when, and answers from a script. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface Call {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** When it had arrived, and when its answer went out; milliseconds of one clock. */
  at: number;
  answeredAt?: number;
}

export interface Hook {
  url: string;
  received: Call[];
}

/** A status, at once, after a time or once it is known; no answer; or a connection that is reset. */
export type HookAnswer = number | Promise<number> | { status: number; afterMs: number } | 'silence' | 'reset';

/** Answers with each of these in turn, then with the last one. Closed when the test ends. */
export async function receiver(...answers: HookAnswer[]): Promise<Hook> {
  const received: Call[] = [];
  const server = createServer(async (request, response) => {
    // What breaks off is not received.
    const chunks: Buffer[] | undefined = await request.toArray().catch(() => undefined);
    if (chunks === undefined) return;
    const call: Call = { headers: request.headers, body: Buffer.concat(chunks), at: performance.now() };
    received.push(call);
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? 200;
    if (answer === 'silence') return;
    if (answer === 'reset') return void request.socket.resetAndDestroy();
    const status = await statusOf(answer);
    call.answeredAt = performance.now();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function statusOf(answer: number | Promise<number> | { status: number; afterMs: number }): Promise<number> {
  if (typeof answer === 'number' || answer instanceof Promise) return await answer;
  await sleep(answer.afterMs);
  return answer.status;
}

/** What a webhook was sent, as JSON. */
export function jsonOf({ headers, body }: Call): unknown {
  return JSON.parse(String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
}
