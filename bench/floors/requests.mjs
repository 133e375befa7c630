/**
 * Sends proxied requests to an echo server, 16 in flight, with `request()` of the package (`ours`) or with undici alone (`floor`), and
 * prints the requests per second, after the same number to warm up. Arguments: ours or floor, the URL, the number.
 */
import { createClient } from 'pulumi-webdata';
import { Pool } from 'undici';

const [which, url, count] = process.argv.slice(2);
const inFlight = 16;
const asked = { zone: 'bench', url: 'https://shop.example.com/products/1?ref=list', format: 'raw', country: 'us' };

const { send, close } = { ours, floor }[which]();
await sendAll(Number(count));
const started = performance.now();
await sendAll(Number(count));
console.log(JSON.stringify({ perSecond: (Number(count) / (performance.now() - started)) * 1000 }));
await close();

function ours() {
  const client = createClient({ url, apiKey: 'bench', concurrency: { initial: inFlight, max: inFlight } });
  return { send: () => client.request(asked), close: client.close };
}

function floor() {
  const pool = new Pool(url, { connections: inFlight, pipelining: 1 });
  const headers = { accept: '*/*', authorization: 'Bearer bench', 'content-type': 'application/json' };
  const send = async () => {
    const body = JSON.stringify(asked);
    const { statusCode, body: answer } = await pool.request({ method: 'POST', path: '/request', headers, body });
    const text = await answer.text();
    if (statusCode !== 200) throw new Error(`was answered ${statusCode}: ${text}`);
    return text;
  };
  return { send, close: () => pool.close() };
}

async function sendAll(count) {
  let left = count;
  const sendNext = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: inFlight }, sendNext));
}
