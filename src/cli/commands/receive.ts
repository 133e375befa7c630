/** `webdata receive`: keeps what the service delivers, until it is interrupted. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../diagnostics/problem.ts';
import { type BucketAddress, bucketAddress } from '../../receiver/bucket.ts';
import type { CheckOptions } from '../../receiver/checks.ts';
import type { Destination } from '../../receiver/destination.ts';
import { printableJson, printableLines } from '../../report/model/printable.ts';
import { isLoopback } from '../../triggers/spec/endpoint.ts';
import { keepHeapSmall } from '../execution/heapLimits.ts';
import { examples } from '../options/examples.ts';
import { listenPort, variableFrom } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../output/io.ts';

interface Flags {
  folder?: string;
  bucket?: BucketAddress;
  port: number;
  host: string;
  authorizationEnv?: string;
  onlyServiceAddresses?: boolean;
  trustProxy?: boolean;
  maxBytes?: number;
}

export function addReceive(command: Command, { io, end }: Shell): void {
  command
    .option('--folder <dir>', 'keeps deliveries in this folder; made where there is none')
    .addOption(
      new Option('--bucket <url>', 'keeps them in s3://BUCKET/PREFIX, of any S3-compatible server')
        .argParser(bucketUrl)
        .conflicts('folder'),
    )
    .option('--port <port>', 'to listen on; 0 for any free one', listenPort, 22_996)
    .option('--host <address>', 'to listen on; another than loopback lets other machines in', '127.0.0.1')
    .option(
      '--authorization-env <name>',
      'the environment variable with the Authorization header that deliveries must have',
    )
    .option('--only-service-addresses', 'takes only what comes from the fourteen addresses of the service')
    .option('--trust-proxy', 'believes the last entry of X-Forwarded-For, where all comes through your own proxy')
    .option('--max-bytes <size>', 'of one delivery, as sent and decompressed (default: 1GB)', size)
    .addHelpText(
      'after',
      examples({
        'webdata receive --folder deliveries --authorization-env HOOK_AUTHORIZATION':
          'on loopback, behind your own proxy',
        'webdata receive --bucket s3://results/webdata --port 8080': 'credentials as of any AWS tool',
      }),
    )
    .action(async (flags: Flags) => end(await receive(flags, io)));
}

async function receive(flags: Flags, io: Io): Promise<ExitCode> {
  const { authorizationEnv, onlyServiceAddresses, trustProxy } = flags;
  const authorization = variableFrom('--authorization-env', authorizationEnv, io, setIt);
  const checks = { authorization, onlyServiceAddresses, trustProxy };
  const destination = await destinationOf(flags, io);
  try {
    await receiveInto(destination, checks, flags, io);
  } finally {
    await destination.close();
  }
  return exitCodes.done;
}

async function receiveInto(
  destination: Destination,
  checks: CheckOptions,
  { host, port, maxBytes }: Flags,
  io: Io,
): Promise<void> {
  const { startReceiver } = await import('../../receiver/receiver.ts');
  keepHeapSmall();
  const limits = maxBytes === undefined ? {} : { maxBytes };
  const write = (text: string) => io.stderr.write(printableJson(text));
  const receiver = await startReceiver({ ...checks, destination, host, port, limits, write });
  try {
    io.stderr.write(warningOf(receiver.url, checks));
    io.stdout.write(printableLines(`Receiving at ${receiver.url}, keeping in ${destination.name}\n`));
    await untilInterrupted(io);
  } finally {
    await receiver.close();
  }
}

async function destinationOf({ folder, bucket }: Flags, { cwd, env }: Io): Promise<Destination> {
  if (bucket !== undefined) return (await import('../../receiver/bucket.ts')).openBucket(bucket, env);
  if (folder === undefined) throw new ProblemError([noDestination]);
  return (await import('../../receiver/folder.ts')).openFolder(resolve(cwd, folder));
}

const setIt = 'set it, such as to `Bearer` and a random text, and give the service the same';

function warningOf(url: string, { authorization, onlyServiceAddresses }: CheckOptions): string {
  if (isLoopback(url)) return '';
  const isOpen = authorization === undefined && !onlyServiceAddresses;
  const who = isOpen
    ? 'ANYONE who reaches it can fill the disk: give --authorization-env or --only-service-addresses'
    : 'what is sent is not encrypted: let your own proxy speak https in front of it';
  return `WARNING: it listens beyond this machine, and ${who}.\n`;
}

function size(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,11})\s*([KMGT]?)B?$/i.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It must be a size such as 500MB or 1GB (of 1024 MB).');
  return Number(amount) * 1024 ** ' KMGT'.indexOf(unit.toUpperCase() || ' ');
}

function bucketUrl(text: string): BucketAddress {
  const address = bucketAddress(text);
  if (address === undefined) throw new InvalidArgumentError('It must be s3://BUCKET or s3://BUCKET/PREFIX.');
  return address;
}

const noDestination = {
  code: 'no-destination',
  found: 'nothing says where deliveries are to be kept',
  allowed: '--folder DIR or --bucket s3://BUCKET/PREFIX',
  fix: 'give one of them',
};
