/** A listing of the emulator, against a bare server with the same bytes and against moto, the best known emulator of a cloud service. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { absent, type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atLeast, compared, pairs } from './frame/pairs.ts';
import { runProcess, startServer } from './frame/process.ts';
import { inRate } from './frame/units.ts';

const addresses = 100;
const what = `emulator, zone/ips of ${addresses} IPs`;
const goals = { moto: atLeast(5), bare: atLeast(0.5) };

/** moto is so much slower that fewer requests are enough. */
const requests = { ours: 3000, moto: 32 };

const account = `id: hl_bench\nzones: { checkout: { ips: { us: [10.0.0.1-10.0.0.${addresses}] } } }\n`;

export const benchmark: Benchmark = {
  name: 'emulator',
  about: `**emulator**: \`GET /zone/ips\` of ${addresses} IPs from the emulator, against a bare \`node:http\` server that answers the same bytes, and against \`DescribeAddresses\` of ${addresses} Elastic IPs from moto's server; 16 in flight.`,
  async run(stage) {
    const { apiUrl, keys } = await startEmulator(stage, account);
    const headers = { authorization: `Bearer ${keys.admin}` };
    const ours = { url: `${apiUrl}/zone/ips?zone=checkout`, headers, count: requests.ours, holds: '10.0.0.100' };
    const rows = [await againstBareServer(stage, ours, keys.admin ?? '')];
    const moto = await startMoto(stage);
    if (moto === undefined) {
      const howToHaveIt = 'It needs Python 3.10 or newer, and PyPI.';
      return [...rows, absent(`${what}: moto`, 'moto', goals.moto.text, howToHaveIt)];
    }
    const measured = await pairs(
      () => rateOf(stage, ours),
      () => rateOf(stage, moto),
    );
    return [...rows, compared(`${what}: moto`, measured, goals.moto, inRate)];
  },
};

async function againstBareServer(stage: Stage, ours: Load, key: string): Promise<Row> {
  const program = join(import.meta.dirname, 'floors/sameBytes.mjs');
  const bare = { ...ours, url: await startServer(stage, [process.execPath, program, ours.url, key]) };
  const measured = await pairs(
    () => rateOf(stage, ours),
    () => rateOf(stage, bare),
  );
  return unlessReached(
    compared(`${what}: bare server`, measured, goals.bare, inRate),
    'the bare server does not look at the request; ours checks the host and the key, applies faults, and logs the request without secrets',
  );
}

/** The requests of the load. An answer must contain a text, so that an error does not count. */
interface Load {
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  count: number;
  holds: string;
}

async function rateOf(stage: Stage, load: Load): Promise<number> {
  const program = join(import.meta.dirname, 'floors/load.mjs');
  const { stdout } = await runProcess(stage, [process.execPath, program, JSON.stringify(load)]);
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}

const version = '2016-11-15';

/** Starts moto with as many addresses as the zone has. Returns undefined if it cannot be installed. */
async function startMoto(stage: Stage): Promise<Load | undefined> {
  const server = installed(stage);
  if (server === undefined) return undefined;
  const url = await listening(stage, server);
  const headers = {
    // The signature is not checked, but it names the service.
    authorization:
      'AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/ec2/aws4_request, SignedHeaders=host, Signature=bench',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const ask = async (action: string) => {
    const answer = await fetch(url, { method: 'POST', headers, body: `Action=${action}&Version=${version}` });
    return answer.text();
  };
  let latest = '';
  for (let index = 0; index < addresses; index += 1) latest = await ask('AllocateAddress&Domain=vpc');
  const [, holds = ''] = /<publicIp>([\d.]+)</.exec(latest) ?? [];
  const listed = [...(await ask('DescribeAddresses')).matchAll(/<publicIp>/g)].length;
  if (holds === '' || listed !== addresses) throw new Error(`moto lists ${listed} addresses: ${latest}`);
  return { url, headers, body: `Action=DescribeAddresses&Version=${version}`, count: requests.moto, holds };
}

/** Returns the path of its server, which is installed if necessary. */
function installed(stage: Stage): string | undefined {
  try {
    const script = resolve('scripts/moto.sh');
    return execFileSync('bash', [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    stage.log(`moto can't be installed: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** Returns its address, which it prints to stderr. */
async function listening(stage: Stage, server: string): Promise<string> {
  const said = await startServer(stage, ['sh', '-c', 'exec "$0" -H 127.0.0.1 -p 0 2>&1', resolve(server)]);
  const [url] = /http:\/\/[\d.]+:\d+/.exec(said) ?? [];
  if (url === undefined) throw new Error(`moto does not say where it listens: ${said}`);
  return url;
}
