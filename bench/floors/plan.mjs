/** The minimum of a plan: fetches the listing of every declared zone, as many at a time as `webdata`, and parses them. */
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { parse } from 'yaml';

/** The maximum number of concurrent calls of `webdata`. */
const concurrency = 32;
const { WEBDATA_API_URL: url = '', WEBDATA_API_KEY: key = '' } = process.env;

const { zoneIpAllocations } = parse(readFileSync('webdata.yaml', 'utf8'));
const waiting = Object.keys(zoneIpAllocations.static.zones);
const pool = new Pool(url, { connections: concurrency });
let ips = 0;

await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (let zone = waiting.pop(); zone !== undefined; zone = waiting.pop()) {
      const { body } = await pool.request({
        method: 'GET',
        path: `/zone/ips?zone=${zone}`,
        headers: { authorization: `Bearer ${key}` },
      });
      ips += (await body.json()).ips.length;
    }
  }),
);
await pool.close();
console.log(`${ips} IPs`);
