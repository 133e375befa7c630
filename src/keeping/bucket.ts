/** Keeps deliveries in an S3-compatible bucket. Loads the AWS client on demand. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { ProblemError } from '../base/diagnostics/problem.ts';
import { type BucketAddress, bucketName } from '../base/drivers/bucketAddress.ts';
import { type Env, loadSdk, openClient, type Sdk, serverWords, statusOf } from '../base/drivers/s3.ts';
import { ownName, removeStale } from '../base/files/ownFiles.ts';
import type { DeliveryFacts, DeliveryStore } from './destination.ts';
import { probePieces } from './probe.ts';
import { createRecent } from './recent.ts';
import { spool } from './spool.ts';
import { type ObjectPlace, upload } from './upload.ts';

/** The longest silence of a connection to the bucket. An upload may take longer, as long as it goes on. */
const longestSilenceMs = 60_000;

/** Takes credentials, region and endpoint from where the AWS client finds them. @throws ProblemError if the bucket is not usable */
export async function openBucket(
  address: BucketAddress,
  env: Env,
  socketTimeout = longestSilenceMs,
): Promise<DeliveryStore> {
  const sdk = await loadSdk('--bucket');
  const client = openClient(sdk, env, { socketTimeout });
  const name = bucketName(address);
  await assertBucket(sdk, client, address.bucket, name);
  const spoolFolder = join(tmpdir(), spoolPrefix + ownName());
  await removeStale(tmpdir(), spoolPrefix);
  const inSequence = sequences();
  const recent = createRecent();
  const placeOf = (names: readonly string[]) => ({
    Bucket: address.bucket,
    Key: [address.prefix, ...names].filter((part) => part !== '').join('/'),
  });
  return {
    name: `bucket ${name}`,
    spoolFolder,
    async keep(spooled, names, about, signal) {
      const place = placeOf(names);
      const again = await inSequence(place.Key, async () => {
        if (recent.has(place.Key, about) || (await sizeOf(sdk, client, place)) === spooled.bytes) return true;
        const { file, bytes, sha256 } = spooled;
        const metadata = { sha256, ...metadataOf(about) };
        await upload({ sdk, client, place, file, bytes, metadata, signal });
        return false;
      });
      recent.add(place.Key, Date.now());
      await rm(spooled.file);
      return { again };
    },
    async read(names) {
      try {
        return (await client.send(new sdk.GetObjectCommand(placeOf(names)))).Body as Readable;
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    },
    // Objects cannot be appended to; the log has the same line.
    record: async () => undefined,
    async probe(signal) {
      const { file, bytes, sha256 } = await spool(probePieces(), spoolFolder);
      try {
        // The same object every time, because a key that may only write cannot remove it.
        await upload({ sdk, client, place: placeOf([probeName]), file, bytes, metadata: { sha256 }, signal });
      } finally {
        await rm(file);
      }
    },
    async close() {
      client.destroy();
      await rm(spoolFolder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs work for the same key one after the other. If an upload takes so long that the service delivers again, the second delivery waits
 * for the first upload instead of starting another one.
 */
function sequences(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

const spoolPrefix = 'webdata-receive-';
/** Hidden, unlike every delivery. */
const probeName = '.probe';

/** Accepts 403: a key that may only write is sufficient. */
async function assertBucket(sdk: Sdk, client: S3Client, bucket: string, name: string): Promise<void> {
  try {
    await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    if (statusOf(error) === 403) return;
    const isAbsent = statusOf(error) === 404;
    const why = serverWords(error) ?? (error as Error).message;
    const found = isAbsent ? `${name}: the bucket does not exist` : `${name}: the bucket is unreachable: ${why}`;
    const fix = isAbsent
      ? 'create the bucket, or correct its name, AWS_REGION or AWS_ENDPOINT_URL_S3'
      : 'check AWS_ENDPOINT_URL_S3, AWS_REGION and the credentials (AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)';
    throw new ProblemError([{ code: 'bucket-not-usable', found, fix }]);
  }
}

/** Returns the size of the object; undefined if there is none, or if this key may not read it. */
async function sizeOf(sdk: Sdk, client: S3Client, place: ObjectPlace): Promise<number | undefined> {
  try {
    return (await client.send(new sdk.HeadObjectCommand(place))).ContentLength;
  } catch (error) {
    if ([403, 404].includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
}

/** Metadata travels in headers, which must be ASCII. */
function metadataOf({ kind, run, doubt }: DeliveryFacts): Record<string, string> {
  return {
    kind,
    ...(doubt === undefined ? {} : { doubt }),
    ...(run === undefined ? {} : { run: encodeURIComponent(run.toWellFormed()).slice(0, longestRun) }),
  };
}

const longestRun = 500;
