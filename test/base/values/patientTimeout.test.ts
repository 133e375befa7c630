/** Processes that are suspended while an answer arrives. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { patientTimeout } from '../../../src/base/values/patientTimeout.ts';

/** Starts a server in another thread, which answers while this one is suspended. */
async function answeringThread(): Promise<string> {
  const code = `const { createServer } = require('node:http');
    const { parentPort } = require('node:worker_threads');
    const server = createServer((_, response) => {
      response.writeHead(200).flushHeaders();
      parentPort.postMessage('asked');
      setTimeout(() => response.end('the answer'), 50);
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true });
  onTestFinished(() => void worker.terminate());
  const [port] = await once(worker, 'message');
  return `http://127.0.0.1:${port}`;
}

/** Suspends this thread. */
function suspend(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('takes an answer that has arrived before a timer that is late, and still ends without one', async () => {
  const url = await answeringThread();
  const answered = async (isSuspended: boolean, limitMs: number) => {
    const late = new AbortController();
    const response = await fetch(url, { signal: late.signal });
    const cancel = patientTimeout(() => late.abort(), limitMs);
    if (isSuspended) suspend(500);
    return response.text().finally(cancel);
  };
  expect(await answered(true, 200)).toBe('the answer');
  await expect(answered(false, 1)).rejects.toThrow('aborted');
});
