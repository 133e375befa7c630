/** The store on any S3 server with conditional writes. */
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { type BucketAddress, bucketName } from '../../../base/drivers/bucketAddress.ts';
import { type Env, loadSdk, openClient, type Sdk } from '../../../base/drivers/s3.ts';
import { decodedText } from '../../../base/files/textFile.ts';
import type { ObjectStore, StoredObject } from '../store.ts';
import { type Page, retryingStore, type StoreDriver, UncertainFailure } from './attempts.ts';
import {
  type Action,
  hasNoObject,
  ignoresConditions,
  isUncertain,
  refusedProblem,
  unreachableProblem,
} from './s3Problems.ts';

const longestRequestMs = 10_000;

/** Takes credentials, region and endpoint from where the AWS client finds them. Sends nothing yet. */
export async function openS3Store(
  address: BucketAddress,
  env: Env,
  requestTimeoutMs = longestRequestMs,
): Promise<ObjectStore> {
  const sdk = await loadSdk('a backend on S3');
  const limits = { requestTimeout: requestTimeoutMs, throwOnRequestTimeout: true, maxAttempts: 1 } as const;
  const client = openClient(sdk, env, limits);
  return retryingStore(new S3Driver(sdk, client, address));
}

type Condition = { IfNoneMatch: '*' } | { IfMatch: string };

/** The most keys that a server lists or removes at once. */
const longestPage = 1000;

const probe = { key: 'conditional-writes', text: 'This object shows that the server supports conditional writes.\n' };

class S3Driver implements StoreDriver {
  readonly address: string;
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  /** Empty, or ends with a slash. */
  readonly #prefix: string;
  #checked: Promise<void> | undefined;

  constructor(sdk: Sdk, client: S3Client, address: BucketAddress) {
    this.address = bucketName(address);
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = address.bucket;
    this.#prefix = address.prefix === '' ? '' : `${address.prefix}/`;
  }

  async read(key: string): Promise<StoredObject | undefined> {
    const command = new this.#sdk.GetObjectCommand(this.#place(key));
    let date: string | undefined;
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        date = (result.response as { headers?: Record<string, string> }).headers?.date;
        return result;
      },
      { step: 'deserialize', priority: 'high' },
    );
    const found = await this.#attempt('read', async () => {
      const { Body, ...object } = await this.#client.send(command);
      return { ...object, bytes: (await Body?.transformToByteArray()) ?? new Uint8Array() };
    });
    return found && { text: decodedText(found.bytes, key), version: found.ETag ?? '', ageMs: ageMs(found, date) };
  }

  async create(key: string, text: string): Promise<string | undefined> {
    await this.#assertConditionalWrites();
    return this.#put(key, text, { IfNoneMatch: '*' });
  }

  async replace(key: string, text: string, version: string): Promise<string | undefined> {
    await this.#assertConditionalWrites();
    return this.#put(key, text, { IfMatch: version });
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += longestPage) {
      const Objects = keys.slice(from, from + longestPage).map((key) => ({ Key: this.#prefix + key }));
      const command = new this.#sdk.DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } });
      const removed = await this.#attempt('remove', () => this.#client.send(command));
      const failed = removed?.Errors?.find(({ Code }) => Code !== 'NoSuchKey');
      if (failed !== undefined) throw new ProblemError([refusedProblem(this.address, 'remove', { name: failed.Code })]);
    }
  }

  async listPage(prefix: string, after: string | undefined): Promise<Page> {
    const command = new this.#sdk.ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: this.#prefix + prefix,
      MaxKeys: longestPage,
      ...(after !== undefined && { StartAfter: this.#prefix + after }),
    });
    const { Contents = [], IsTruncated } = (await this.#attempt('list', () => this.#client.send(command))) ?? {};
    const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(this.#prefix.length)]));
    // A server that does not say whether this is all is asked for more.
    return { keys, hasMore: IsTruncated ?? true };
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  /** Returns undefined if the condition does not hold. */
  async #put(key: string, text: string, condition: Condition): Promise<string | undefined> {
    const ContentType = 'text/plain; charset=utf-8';
    // The client takes an empty string for a stream.
    const Body = Buffer.from(text);
    const command = new this.#sdk.PutObjectCommand({ ...this.#place(key), ...condition, Body, ContentType });
    return (await this.#attempt('write', () => this.#client.send(command)))?.ETag;
  }

  /** Checks the server before the first write. @throws ProblemError if it ignores conditions */
  #assertConditionalWrites(): Promise<void> {
    this.#checked ??= this.#probeConditions().catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  /** Writes an object that exists, under conditions that do not hold. A server that ignores them would let two runs hold the lock. */
  async #probeConditions(): Promise<void> {
    const create = () => this.#put(probe.key, probe.text, { IfNoneMatch: '*' });
    const replace = () => this.#put(probe.key, probe.text, { IfMatch: '"00000000000000000000000000000000"' });
    // Unless the prefix is new, the object exists already, and the first write is refused.
    const isRefused = (await create()) === undefined;
    const written = await Promise.all([replace(), ...(isRefused ? [] : [create()])]);
    if (written.some((version) => version !== undefined)) throw new ProblemError([ignoresConditions(this.address)]);
  }

  #place(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  /** Returns undefined if the object does not exist, or its condition does not hold. */
  async #attempt<T>(action: Action, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (hasNoObject(error)) return undefined;
      if (isUncertain(error)) throw new UncertainFailure(unreachableProblem(this.address, error));
      throw new ProblemError([refusedProblem(this.address, action, error)]);
    }
  }
}

/**
 * Returns the age by the server's clock: both times come from the server. Both are whole seconds, so the age may be up to two seconds too
 * small but never too large, and no lease expires early.
 */
function ageMs({ LastModified }: GetObjectCommandOutput, date: string | undefined): number {
  const age = Date.parse(date ?? '') - (LastModified?.getTime() ?? Number.NaN) - 1000;
  return Number.isNaN(age) ? 0 : Math.max(0, age);
}
