/**
 * Sends one request repeatedly, 16 in flight, with undici alone, and prints the answers per second. Argument, as JSON: `url`, `headers`,
 * `body` (for a POST), `count`, and `holds`, a text that every answer must contain.
 */
import { Pool } from 'undici';

const { url, headers, body, count, holds } = JSON.parse(process.argv[2] ?? '{}');
const inFlight = 16;
const { origin, pathname, search } = new URL(url);
const pool = new Pool(origin, { connections: inFlight });
const request = { method: body === undefined ? 'GET' : 'POST', path: pathname + search, headers, body };

await sendAll(Math.ceil(count / 10));
const started = performance.now();
await sendAll(count);
console.log(JSON.stringify({ perSecond: (count / (performance.now() - started)) * 1000 }));
await pool.close();

async function sendAll(many) {
  let left = many;
  const sendNext = async () => {
    while (left-- > 0) {
      const answer = await pool.request(request);
      const text = await answer.body.text();
      if (!text.includes(holds)) throw new Error(`was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sendNext));
}
