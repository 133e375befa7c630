/**
 * One process that runs until it is stopped: it declares at random, applies, checks drift, moves IPs like another user, and undoes. In
 * between, it sends proxied requests, some through the native proxy, and reads snapshots. It counts its actions and failures, and prints
 * the counts as a line of JSON for each line on stdin.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetch } from 'undici';
import { createClient, nativeProxy } from '../../src/index.ts';
import { command } from '../frame/world.ts';
import { soakDeclaration, soakZones } from './account.ts';

export interface Tally {
  counts: Record<string, number>;
  /** The first failures: the action, the expected and the actual result. */
  failures: string[];
}

const { SOAK_FOLDER: folder = '', SOAK_PROXY: proxyUrl = '', ...env } = process.env;
const { WEBDATA_API_URL: url = '', WEBDATA_API_KEY: apiKey = '' } = env;
/** Long enough for a busy machine; a command without an answer is still a failure. */
const patienceSeconds = 120;
const tally: Tally = { counts: {}, failures: [] };
const signal = new AbortController().signal;
const client = createClient({ url, apiKey, timeoutMs: patienceSeconds * 1000 });
const proxy = await nativeProxy({
  host: new URL(proxyUrl).hostname,
  port: Number(new URL(proxyUrl).port),
  accountId: 'hl_soak',
  zone: 'checkout',
  password: 'soak-password',
});

createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(`${JSON.stringify(tally)}\n`))
  .on('close', () => process.exit());
process.stdout.write('ready\n');
await Promise.all([
  forever(2000, changeAndTakeBack),
  forever(200, request),
  forever(500, throughProxy),
  forever(1000, snapshot),
]);

async function forever(everyMs: number, once: () => Promise<void>): Promise<void> {
  for (;;) {
    await once().catch((error: unknown) =>
      failed(`${once.name}: ${error instanceof Error ? `${error.stack} ${error.cause ?? ''}` : error}`),
    );
    await sleep(everyMs);
  }
}

async function changeAndTakeBack(): Promise<void> {
  writeFileSync(join(folder, 'webdata.yaml'), soakDeclaration(Math.random));
  await webdata([0], 'apply', '--yes');
  await webdata([0], 'drift');
  const dice = Math.random();
  if (dice < 0.2) await movedByHand();
  // An undo with nothing to undo succeeds.
  if (dice > 0.6) await webdata([0], 'undo', '--yes');
  if (dice > 0.9) await webdata([0], 'history');
}

/** Moves an IP out of a zone like another user: there is drift until the next apply. */
async function movedByHand(): Promise<void> {
  const zone = soakZones[Math.floor(Math.random() * soakZones.length)] ?? 'checkout';
  const [one] = await client.zones.ips(zone);
  if (one === undefined) return;
  const body = JSON.stringify({ ips: [one.ip], to: 'parked' });
  await fetch(`${url}/_emulator/ips/move`, { method: 'POST', body });
  await webdata([2], 'drift');
  await webdata([0], 'apply', '--yes');
}

async function webdata(expected: readonly number[], ...args: string[]): Promise<void> {
  const patient = args[0] === 'history' ? [] : ['--timeout', String(patienceSeconds)];
  const line = [...args, '--journal', journalOfNow(), ...patient];
  const { code, text } = await command(line, { env, cwd: folder, signal });
  counted(`${args[0]}`);
  if (!expected.includes(code)) failed(`${args.join(' ')}: ended with ${code}, not ${expected}:\n${text}`);
}

/** Returns a new journal every ten minutes, because the memory for the history of an hour would look like a leak. */
function journalOfNow(): string {
  const tenMinutes = 600_000;
  return join('journals', `${Math.floor(performance.now() / tenMinutes)}.jsonl`);
}

async function request(): Promise<void> {
  const page = await client.request({ zone: 'checkout', url: `http://example.com/${Math.random()}`, format: 'raw' });
  counted('proxied requests');
  if (!page.startsWith('A page.')) failed(`request: expected the page, found ${page.slice(0, 100)}`);
}

async function throughProxy(): Promise<void> {
  const answer = await fetch('http://example.com/a', { dispatcher: proxy });
  const page = await answer.text();
  counted('requests through the native proxy');
  if (!page.startsWith('A page.'))
    failed(`native proxy: expected the page, found ${answer.status} ${page.slice(0, 100)}`);
}

async function snapshot(): Promise<void> {
  const { snapshotId } = await client.datasets.trigger({
    datasetId: 'gd_companies',
    inputs: [{ url: 'https://a.example' }],
  });
  const { rows } = await client.datasets.wait(snapshotId);
  let count = 0;
  for await (const _ of rows) count += 1;
  counted('snapshots read');
  counted('rows read', count);
  if (count !== 2000) failed(`snapshot: expected 2000 rows, found ${count}`);
}

function counted(what: string, by = 1): void {
  tally.counts[what] = (tally.counts[what] ?? 0) + by;
}

function failed(what: string): void {
  counted('failures');
  if (tally.failures.length < 20) tally.failures.push(what);
}
