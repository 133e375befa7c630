/**
 * The minimum of a trigger service: for each scheduled run, it stores that the run is due, claimed and triggered, each with an event that
 * is synced before the next step, and sends the request in between. As many at a time as `webdata triggers serve`. Arguments: the store (a
 * file, or postgres://…), the number of runs. Prints the time.
 */
import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { postgresLedger } from './ledgerPostgres.mjs';
import { sqliteLedger } from './ledgerSqlite.mjs';

const [store = '', count = '0'] = process.argv.slice(2);
const { WEBDATA_API_URL: url, WEBDATA_API_KEY: key } = process.env;
const [inFlight, batch] = [48, 100];

const ledger = await (store.startsWith('postgres://') ? postgresLedger(store) : sqliteLedger(store));
const pool = new Pool(url, { connections: inFlight });
const schedules = Array.from({ length: Number(count) }, (_, index) => `s${index}`);
await ledger.register(schedules);
const started = performance.now();
await fireAll();
console.log(JSON.stringify({ ms: performance.now() - started }));
await ledger.close();
await pool.close();

async function fireAll() {
  const waiting = [];
  for (let first = 0; first < schedules.length; first += batch) {
    const runs = schedules.slice(first, first + batch).map((schedule) => ({ id: newId(), schedule }));
    await ledger.add(runs);
    waiting.push(...runs);
  }
  const answered = [];
  let underWay = 0;
  let wake = () => undefined;
  for (let left = waiting.length; left > 0; ) {
    const answers = answered.splice(0);
    if (answers.length > 0) await ledger.accept(answers);
    left -= answers.length;
    const claimed = waiting.splice(0, inFlight - underWay).map((run) => ({ ...run, token: newId() }));
    if (claimed.length > 0) await ledger.claim(claimed);
    underWay += claimed.length;
    for (const run of claimed) {
      void trigger().then((collectionId) => {
        underWay -= 1;
        answered.push({ ...run, collectionId });
        wake();
      });
    }
    if (left > 0 && answered.length === 0) await new Promise((resolve) => (wake = resolve));
  }
}

async function trigger() {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/dca/trigger?collector=c_prices',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ url: 'https://a.example' }]),
  });
  const answer = await body.json();
  if (statusCode !== 200) throw new Error(`was answered ${statusCode}: ${JSON.stringify(answer)}`);
  return answer.collection_id;
}

function newId() {
  return randomBytes(10).toString('hex');
}
