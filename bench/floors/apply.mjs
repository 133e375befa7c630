/**
 * The minimum of an apply: lists the zones, sends the calls with a synced line before and after each, and lists the zones again. The argument is
 * the number of calls at a time.
 */
import { open, readFile } from 'node:fs/promises';
import { Pool } from 'undici';
import { parse } from 'yaml';

const concurrency = 32;
const { WEBDATA_API_URL: url = '', WEBDATA_API_KEY: key = '' } = process.env;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

const { zones } = parse(await readFile('webdata.yaml', 'utf8')).zoneIpAllocations.static;
const pool = new Pool(url, { connections: concurrency });
const journal = await open('journal.jsonl', 'a');

const placeOf = await listAll();
const calls = callsTo(zones);
await Promise.all(Array.from({ length: Number(process.argv[2] ?? 1) }, sendAll));
const after = await listAll();
for (const [zone, { ips }] of Object.entries(zones)) {
  for (const ip of ips) if (after.get(ip) !== zone) throw new Error(`${ip} is not in ${zone}`);
}
await journal.close();
await pool.close();

async function sendAll() {
  for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
    await note({ sending: call });
    const { body } = await pool.request({
      method: 'POST',
      path: '/zone/ips/migrate',
      headers,
      body: JSON.stringify(call),
    });
    await note({ answered: await body.json() });
  }
}

async function listAll() {
  const places = new Map();
  const waiting = Object.keys(zones);
  const list = async () => {
    for (let zone = waiting.pop(); zone !== undefined; zone = waiting.pop()) {
      const { body } = await pool.request({ method: 'GET', path: `/zone/ips?zone=${zone}`, headers });
      for (const { ip } of (await body.json()).ips) places.set(ip, zone);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, list));
  return places;
}

function callsTo(declared) {
  const moves = Object.entries(declared).flatMap(([to, { ips }]) =>
    ips.map((ip) => ({ ip, from: placeOf.get(ip), to })),
  );
  const byPair = Map.groupBy(
    moves.filter(({ from, to }) => from !== to),
    ({ from, to }) => `${from} ${to}`,
  );
  return [...byPair.values()].map((its) => ({ from: its[0].from, to: its[0].to, ips: its.map(({ ip }) => ip) }));
}

async function note(line) {
  await journal.appendFile(`${JSON.stringify(line)}\n`);
  await journal.datasync();
}
