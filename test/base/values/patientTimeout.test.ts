/** Processes that are suspended while an answer arrives. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { patientTimeout } from '../../../src/base/values/patientTimeout.ts';
import { clientOf } from '../../client/setup.ts';

/** Starts a server in another thread, which answers while this one is suspended. */
async function answeringThread(): Promise<{ url: string; asked: Promise<unknown> }> {
  const code = `const { createServer } = require('node:http');
    const { parentPort } = require('node:worker_threads');
    const server = createServer((_, response) => {
      parentPort.postMessage('asked');
      response.setHeader('connection', 'close');
      setTimeout(() => response.end('{"collection_id":"j_1"}'), 50);
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true });
  onTestFinished(() => void worker.terminate());
  const [port] = await once(worker, 'message');
  return { url: `http://127.0.0.1:${port}`, asked: once(worker, 'message') };
}

/** Suspends this thread. */
function suspend(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const job = { collector: 'c_1', inputs: [{ url: 'https://a.example' }] };

/** Asks with a limit of 200 ms, and is suspended for 500 ms: before the request is on its way, or once it has arrived. */
async function askSuspended(when: 'unsent' | 'sent') {
  const { url, asked } = await answeringThread();
  const late = new AbortController();
  setTimeout(() => late.abort(), 200);
  const client = clientOf(url, { retry: { retries: 0 } });
  const answer = client.collectors.trigger(job, { signal: late.signal });
  if (when === 'sent') await asked;
  suspend(500);
  return answer;
}

it('takes an answer that has arrived before a timer that is late, and sends nothing that was unsent', async () => {
  expect(await askSuspended('sent')).toMatchObject({ collectionId: 'j_1' });
  await expect(askSuspended('unsent')).rejects.toMatchObject({ code: 'aborted', effect: 'none' });
});

it('sends nothing that was to be sent long ago', async () => {
  const { url } = await answeringThread();
  const { collectors } = clientOf(url, { timeoutMs: 1200, retry: { retries: 0 } });
  await collectors.trigger(job);
  const answer = collectors.trigger(job);
  // Until it waits for a connection.
  for (let turns = 0; turns < 100; turns += 1) await undefined;
  suspend(1500);
  await expect(answer).rejects.toMatchObject({ code: 'timed-out', effect: 'none' });
});

it('still ends without an answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  patientTimeout(resolve, 1);
  await promise;
});
