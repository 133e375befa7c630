/** The best schedule for a service that accepts 20 calls a second: fetches and parses the listing of each zone, 20 at the beginning of each second. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { parse } from 'yaml';

const perSecond = 20;
/** Calls do not arrive exactly as far apart as they were sent. */
const windowMs = 1025;
const { WEBDATA_API_URL: url = '', WEBDATA_API_KEY: key = '' } = process.env;
const headers = { authorization: `Bearer ${key}` };

const names = Object.keys(parse(await readFile('webdata.yaml', 'utf8')).zoneIpAllocations.static.zones);
const pool = new Pool(url, { connections: perSecond });
const start = performance.now();
const fetched = names.map(async (zone, index) => {
  await sleep(Math.max(0, start + Math.floor(index / perSecond) * windowMs - performance.now()));
  for (;;) {
    const { statusCode, body } = await pool.request({ method: 'GET', path: `/zone/ips?zone=${zone}`, headers });
    const text = await body.text();
    if (statusCode === 200) return JSON.parse(text).ips.length;
    await sleep(10);
  }
});
await Promise.all(fetched);
await pool.close();
