/** `webdata receive`: serves until it is interrupted. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { bucketAddress } from '../../base/drivers/bucketAddress.ts';
import { withoutLogin } from '../../base/drivers/postgresAddress.ts';
import { parseAddress, type StoreAddress } from '../../base/values/address.ts';
import { printableLine } from '../../base/values/printable.ts';
import type { DeliveryStore } from '../../keeping/destination.ts';
import { probed } from '../../keeping/probe.ts';
import { type StoreFailure, storeFailure } from '../../keeping/storeFailure.ts';
import type { CheckOptions } from '../../receiver/checks.ts';
import type { ReportRun } from '../../receiver/deliver.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import { isLoopbackUrl } from '../../triggers/declared/endpoint.ts';
import { storeAddressProblem } from '../../triggers/store/address.ts';
import { addExamples, collect, listenPort, positiveNumber, variableFrom } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell, untilInterrupted } from '../output/io.ts';
import { serverLog } from '../output/serverLog.ts';

interface Flags {
  folder?: string;
  bucket?: string;
  port: number;
  host: string;
  authorizationEnv?: string[];
  onlyServiceAddresses?: boolean;
  trustProxy?: true | number;
  maxBytes?: number;
  reportTo?: string;
}

export function addReceive(command: Command, { io, end }: Shell): void {
  command
    .option('--folder <dir>', 'folder for deliveries; created if missing')
    .addOption(
      new Option('--bucket <url>', 's3://BUCKET/PREFIX for deliveries, on any S3-compatible server').conflicts(
        'folder',
      ),
    )
    .option('--port <port>', 'listen port; 0 for any free port', listenPort, 22_996)
    .option('--host <address>', 'listen address; beyond loopback, other machines can connect', '127.0.0.1')
    .option(
      '--authorization-env <name>',
      'variable that holds the Authorization header required of deliveries; repeat to accept several, to rotate',
      collect,
    )
    .option('--only-service-addresses', 'accept deliveries only from the fourteen addresses of the service')
    .option(
      '--trust-proxy [count]',
      'trust X-Forwarded-For, if all requests come through your own proxies (default: 1 proxy)',
      positiveNumber,
    )
    .option('--max-bytes <size>', 'largest delivery, compressed or decompressed (default: 1GB)', size)
    .option(
      '--report-to <address>',
      'URL of the trigger service (token: WEBDATA_TRIGGERS_TOKEN), or its store, that records which runs are delivered',
    )
    .action(async (flags: Flags) => end(await receive(flags, io)));
  addExamples(command, {
    'webdata receive --folder deliveries --authorization-env HOOK_AUTHORIZATION': 'on loopback, behind your own proxy',
    'webdata receive --bucket s3://results/webdata --port 8080': 'in a bucket, with the usual AWS credentials',
  });
}

async function receive(flags: Flags, io: Io): Promise<ExitCode> {
  const { authorizationEnv = [], onlyServiceAddresses, trustProxy = 0 } = flags;
  const authorizations = authorizationEnv.map((name) => variableFrom(name, io, setIt));
  const checks = { authorizations, onlyServiceAddresses, trustedProxies: Number(trustProxy) };
  const destination = await destinationOf(flags, io);
  try {
    // Otherwise a store that cannot be written is noticed when a result is lost.
    const failure = await probed(destination);
    if (failure !== undefined) throw notWritable(failure);
    await receiveInto(destination, checks, flags, io);
  } finally {
    await destination.close();
  }
  return exitCodes.done;
}

async function receiveInto(
  destination: DeliveryStore,
  checks: CheckOptions,
  { host, port, maxBytes, reportTo }: Flags,
  io: Io,
): Promise<void> {
  const triggers = reportTo === undefined ? undefined : await triggersAt(reportTo, io);
  const { startReceiver } = await import('../../receiver/receiver.ts');
  const limits = maxBytes === undefined ? {} : { maxBytes };
  const write = serverLog(io);
  const receiver = await startReceiver({
    ...checks,
    destination,
    host,
    port,
    limits,
    write,
    report: triggers && reportingTo(triggers),
  });
  try {
    io.stderr.write(exposedWarning(receiver.url, checks));
    io.stdout.write(printableLine(`Receiving at ${receiver.url}, storing in ${destination.name}`));
    await untilInterrupted(io);
  } finally {
    await receiver.close();
    await triggers?.close();
  }
}

/** @throws ProblemError for an address that is neither */
async function triggersAt(address: string, { env, cwd }: Io): Promise<TriggersClient> {
  const parsed = parseAddress(address);
  if (parsed.kind === 'server' && /^https?$/.test(parsed.scheme)) {
    const { createTriggersClient } = await import('../../triggers/client.ts');
    return createTriggersClient({ url: parsed.url, token: env.WEBDATA_TRIGGERS_TOKEN ?? '' });
  }
  const problem = storeAddressProblem(address);
  if (problem !== undefined) throw new ProblemError([problem]);
  const { createStoreTriggers } = await import('../../triggers/storeClient.ts');
  const isPath = parsed.kind === 'path';
  return createStoreTriggers({
    store: isPath ? resolve(cwd, parsed.path) : address,
    shown: isPath ? parsed.path : withoutLogin(address),
    folder: cwd,
  });
}

/** A run that the trigger service does not know is another one's. */
function reportingTo(triggers: TriggersClient): ReportRun {
  return async (run, signal) => {
    await triggers.resolve(run, { as: 'delivered' }, { signal }).catch((error: unknown) => {
      if (!(error instanceof ProblemError && error.problems.every(({ code }) => code === 'unknown-run'))) throw error;
    });
  };
}

async function destinationOf({ folder, bucket }: Flags, { cwd, env }: Io): Promise<DeliveryStore> {
  if (bucket !== undefined) {
    const address = bucketAddress(bucket);
    if (address === undefined) throw new ProblemError([wrongBucket]);
    return (await import('../../keeping/bucket.ts')).openBucket(address, env);
  }
  if (folder === undefined) throw new ProblemError([noDestination]);
  const parsed = parseAddress(folder);
  if (parsed.kind !== 'path') throw new ProblemError([notAFolder(parsed)]);
  const { openFolder } = await import('../../keeping/folder.ts');
  const path = resolve(cwd, parsed.path);
  return openFolder(path).catch((error: unknown) => {
    throw notWritable(storeFailure({ name: `folder ${path}` }, error));
  });
}

function notWritable({ message: found }: StoreFailure): ProblemError {
  const fix = 'make it writable for this user, or name another --folder or --bucket';
  return new ProblemError([{ code: 'store-not-writable', found, fix }]);
}

const setIt = 'set it, for example to `Bearer` and a random text, and configure the same header at the service';

function exposedWarning(url: string, { authorizations = [], onlyServiceAddresses }: CheckOptions): string {
  if (isLoopbackUrl(url)) return '';
  const isOpen = authorizations.length === 0 && !onlyServiceAddresses;
  const risk = isOpen
    ? 'ANYONE who can reach it can fill the disk: pass --authorization-env or --only-service-addresses'
    : 'Deliveries are not encrypted: put your own HTTPS proxy in front of it';
  return `WARNING: the receiver accepts connections from other machines. ${risk}.\n`;
}

function size(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,11})\s*([KMGT]?)B?$/i.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It must be a size such as 500MB or 1GB (of 1024 MB).');
  return Number(amount) * 1024 ** ' KMGT'.indexOf(unit.toUpperCase() || ' ');
}

/** Neither problem quotes the address, which may contain a password. */
const wrongBucket = {
  code: 'wrong-destination',
  found: '--bucket is not the address of a bucket',
  allowed: 's3://BUCKET or s3://BUCKET/PREFIX',
  fix: 'name the bucket; credentials come from the variables of AWS',
};

function notAFolder(address: Exclude<StoreAddress, { kind: 'path' }>): Problem {
  const isServer = address.kind === 'server';
  return {
    code: 'wrong-destination',
    found: `--folder ${isServer ? `is a ${address.scheme}:// URL` : address.why}`,
    allowed: 'the path of a folder',
    fix: isServer ? 'pass --bucket s3://BUCKET/PREFIX for a bucket' : address.fix,
  };
}

const noDestination = {
  code: 'no-destination',
  found: '--folder or --bucket is missing',
  allowed: '--folder DIR or --bucket s3://BUCKET/PREFIX',
  fix: 'pass one of them',
};
